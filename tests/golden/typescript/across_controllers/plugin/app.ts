import express from 'express';
import { Attic, Cellar } from './shelf';

const app = express();
const attic = new Attic();
app.use('/attic', attic.router);
app.use('/cellar', new Cellar().router);
