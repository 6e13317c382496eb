import axios from 'axios';
import { METHOD_PUT } from 'some-verbs';
import { HTTP_METHOD_DELETE } from 'more-verbs';

class Depot {
  private send(method: string, path: string) {
    return axios.request({ method, url: `/api/v2/${path}` });
  }
  put(id: string) { return this.send(METHOD_PUT, `crates/${id}`); }
  drop(id: string) { return this.send(HTTP_METHOD_DELETE, `crates/${id}`); }
}
