import { Router, type IRouter } from 'express';

export default class Resource {
  protected table: IRouter;

  constructor(protected log: Log) {
    this.table = Router();
  }

  add(o: { verb: string; at: string; answer: Handler }): void {
    this.table[o.verb](o.at, check, o.answer.bind(this));
  }

  get(at: string, answer: Handler): void {
    this.add({ verb: 'get', at, answer });
  }

  mount(at: string, below: IRouter): void {
    this.table.use(at, audit, below);
  }

  get routes(): IRouter {
    return this.table;
  }
}
