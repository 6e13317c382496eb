import express from 'express';
import { Library } from './library';

const app = express();
app.use('/v2', new Library(log).routes);
app.listen(8080);
