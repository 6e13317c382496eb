const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');

const packageDefinition = loader.loadSync('cart.proto');
module.exports.shop = grpc.loadPackageDefinition(packageDefinition).shop;
