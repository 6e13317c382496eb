import express from 'express';
import { Controller } from './ctl';
export class App {
  app = express();
  constructor(controllers: Controller[]) {
    controllers.forEach((controller) => {
      this.app.use('/api', controller.router);
    });
  }
}
