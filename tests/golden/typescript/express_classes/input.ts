import express, { Router, Application } from 'express';
export class Users {
  public router = Router();
  private app: express.Application;
  constructor(private http: HttpClient) { this.init(); }
  init() {
    this.router.get('/users/:id', this.one);
    this.app.post('/all', this.all.bind(this));
    this.http.get('/nothing', 2);
  }
}
export const routes = (api: Application): void => {
  api.delete('/things/:id', remove);
};
const r: Router = Router();
r.get('/typed', (req, res) => { res.send(''); });
