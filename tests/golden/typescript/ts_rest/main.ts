import { createExpressEndpoints } from '@ts-rest/express';
import { theatre } from './contract';

createExpressEndpoints(theatre, router, app);
