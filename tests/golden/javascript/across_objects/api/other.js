const other = require('./endpoints');
other.simple('/nothing');
