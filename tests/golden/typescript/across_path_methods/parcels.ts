import { Router, RequestHandler } from 'express';
import { Paths } from './base';

export class ParcelRouter extends Paths {
  constructor(...guards: RequestHandler[]) {
    super();
    this.router
      .post(this.pathOf('ship'), ...guards, async (req, res) => res.json({}))
      .get(this.pathOf('list', false), ...guards, async (req, res) => res.json([]));
  }

  public readonly router: Router = Router();
}
