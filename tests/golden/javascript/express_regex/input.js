const express = require('express'); const app = express();
app.get(/^\/users\/(\d+)$/, (req, res) => res.end());
app.get(/.*fly$/, (req, res) => res.end());
app.get('/a{/:op}', (req, res) => res.end());
app.get('/files/*path', (req, res) => res.end());
app.get(['/p', '/q'], (req, res) => res.end());
app.get('/u/:id(\\d+)', (req, res) => res.end());
app.get('*', (req,res)=>res.end());
app.get('/opt/:x?', (req,res)=>res.end());
