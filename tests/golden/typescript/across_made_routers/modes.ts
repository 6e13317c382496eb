import { Router } from 'express';
export class Controller {
  app = Router();
  constructor(config: any) {}
  get(path: string, handler: any) { this.app.get(path, handler); }
  get router() { return this.app; }
}
export class ModeController extends Controller {
  constructor(config: any, mode: 'global' | 'owner' = 'global') {
    super(config);
    const prefix = mode === 'global' ? '' : '/:owner/modes';
    this.get(`${prefix}/:field`, this.one);
  }
  one() {}
}
