import Resource from './base';

export default class Readers extends Resource {
  constructor(log: Log) {
    super(log);
    this.add({ verb: 'delete', at: '/:id', answer: this.leave });
  }
}
