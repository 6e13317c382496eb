import { Router } from 'express';
export class UserRoutes {
  public path = '/users';
  public router = Router();
  constructor() { this.init(); }
  private init() { this.router.get(`${this.path}/:id`, (req, res) => res.json({})); this.router.post(this.path, this.add); }
  add() {}
}
