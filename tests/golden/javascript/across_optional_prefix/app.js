const express = require('express');

const app = express();
let prefix = '';
if (process.env.BASE_PATH) {
  prefix = '/' + process.env.BASE_PATH;
}
app.get(prefix + '/users', list);
app.listen(1);
