import express, { Router, Express } from "express";

const router: Router = Router();

router.get("/orders/:orderId", async (req, res) => { res.json({}); });

export function register(app: Express, store: Map<string, string>): void {
  app.post("/orders", createOrder);
  store.get("/orders", 1);
}

export const createOrder = (req: express.Request) => {
  return req;
};
