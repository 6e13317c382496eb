import axios from 'axios';

export class Transport {
  send(verb: string, path: string) {
    switch (verb) {
      case 'GET':
        return axios.get(path);
      case 'POST':
      case 'CREATE':
        return axios.post(path);
      default:
        return axios.put(path);
    }
  }
}

export class Parcels extends Transport {
  list() { return this.send('GET', '/api/parcels'); }
  create() { return this.send('CREATE', '/api/parcels'); }
  replace() { return this.send('REPLACE', '/api/parcels/1'); }
}
