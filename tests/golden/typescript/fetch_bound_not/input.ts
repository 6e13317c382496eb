// a function of that name which reads from a cache, and one that is bound to another object
import { fetch } from './cache';

export class Ledger {
  private read = this.rows.find.bind(this.rows);
  private again = fetch.name;

  page(id: string) {
    return this.read(`/ledger/${id}`);
  }

  title() {
    return this.again.slice('/ledger'.length);
  }
}
