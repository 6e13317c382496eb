const http = require('http');
const { answer } = require('./answer');

http.createServer(answer).listen(8080);
