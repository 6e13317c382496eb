// @flow
import { Router } from 'express';

export const berths: ?Router = Router();
const free: ?Array<Object> = [];

export function one(req: Request, res: Response): ?Promise<void> {
  return res.json(free);
}

berths.get('/berths/:id', one);
