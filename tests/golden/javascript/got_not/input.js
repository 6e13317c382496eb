const got = require('got');
const forgot = new Map();
forgot.get('/x');
got.mergeOptions('/y');
const requests = [];
requests.post = () => 1;
requests.post('/no');
