import express from 'express';
import { UserRoutes } from './users';
const app = express();
app.use('/v2', new UserRoutes().router);
