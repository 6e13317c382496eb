const express = require('express'); const axios = require('axios');
const app = express();
app.get('/m', list); app.post('/m', add); app.all('/n', any);
axios.get('/x'); axios.delete('/x'); fetch('/y'), fetch('/z', { method: 'PUT' });
