// @flow
// Types of Flow, which the grammar of JavaScript does not know.
import type { Berth } from './berth';
import express from 'express';

const app = express();

export type Ship = { name: string, length: ?number };

export class Harbour {
  berths: Array<Berth>;

  constructor(berths: Array<Berth> = []) {
    this.berths = berths;
  }

  static empty(): Harbour {
    return new Harbour([]);
  }

  arrive(ship: Ship, berth: ?number): Promise<boolean> {
    const free: ?Array<Berth> = this.berths.filter((b: Berth) => b.free);
    return berthed(ship, free);
  }
}

function berthed(ship: Ship, free: ?Array<Berth>): Promise<boolean> {
  return Promise.resolve(true);
}

app.get('/berths', (req: Request, res: Response) => res.json([]));
