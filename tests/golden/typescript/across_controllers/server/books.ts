import Resource from './base';

export class Books extends Resource {
  constructor(log: Log) {
    super(log);
    this.get('/', this.list);
    this.get('/:isbn', this.one);
    this.add({ verb: 'post', at: '/:isbn/loans', answer: this.lend });
  }
}
