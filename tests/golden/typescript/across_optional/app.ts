import express from 'express';
const app = express();
app.get('/parcels/:id?', (req, res) => res.json({}));
app.get('/files/:from-:to?', (req, res) => res.json({}));
app.delete('/parcels/:id', (req, res) => res.json({}));
