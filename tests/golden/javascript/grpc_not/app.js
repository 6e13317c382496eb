const grpc = require('@grpc/grpc-js');
const { Cart } = require('./cart');
const redis = require('redis');

const cart = new Cart('x');
cart.getCart();
const client = redis.createClient({ url: 'redis://x' });
client.getCart('key');
const server = new grpc.Server();
server.start();
