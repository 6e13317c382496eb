import { Router } from 'express';

// Each shelf has routes of its own in the base; nothing mounts a shelf itself.
export class Shelf {
  router = Router();
  constructor() {
    this.router.get('/size', this.size);
  }
}

export class Attic extends Shelf {}
export class Cellar extends Shelf {}
