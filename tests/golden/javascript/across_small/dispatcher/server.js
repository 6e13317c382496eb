const HttpDispatcher = require('httpdispatcher');
const paths = require('./paths');

const dispatcher = new HttpDispatcher();

dispatcher.onGet('/dispatched', (req, res) => res.end('ok'));
dispatcher.onPost(paths.SAVE, save);
