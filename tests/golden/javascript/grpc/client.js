const grpc = require('@grpc/grpc-js');
const { promisify } = require('util');
const { shop } = require('./lib/proto');

const client = new shop.Cart('cart:50051', grpc.credentials.createInsecure());
const empty = promisify(client.empty).bind(client);

module.exports = { client, empty };
