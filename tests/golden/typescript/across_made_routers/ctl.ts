import { Router } from 'express';
export interface Controller { router: Router; }
export class ThingController implements Controller {
  public router = Router();
  constructor(private base: string) {
    this.router.get(`${this.base}/:id`, this.one);
  }
  one() {}
}
