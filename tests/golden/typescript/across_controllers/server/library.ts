import Resource from './base';
import { Books } from './books';
import Readers from './readers';

export class Library extends Resource {
  constructor(log: Log) {
    super(log);
    this.mount('/books', new Books(log).routes);
    this.table.use('/readers', new Readers(log).routes);
  }
}
