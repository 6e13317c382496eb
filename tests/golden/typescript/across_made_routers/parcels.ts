import { Router } from 'express';
export class BaseController {
  public readonly router: Router = Router();
  constructor(protected readonly prefix: string) {
    this.router.get(`${this.prefix}/base`, this.list);
  }
  list() {}
}
export class ParcelController extends BaseController {
  constructor(prefix: string) {
    super(prefix);
    this.router.get(`${this.prefix}/list`, this.list);
  }
  more() {
    this.router.get(`${this.prefix}/more`, this.list);
  }
}
