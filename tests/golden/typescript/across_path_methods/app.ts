import express from 'express';
import { ParcelRouter } from './parcels';

const app = express();
const names = new Map<string, string>();
names.get(keyOf('parcel'), 1);
app.use('/parcels', new ParcelRouter().router);
