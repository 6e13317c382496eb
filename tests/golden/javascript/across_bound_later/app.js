// What the file of routes is given: nothing else here speaks of the library.
const { mount } = require('./orders');

const shop = require('express').Router();
mount(shop);
