const grpc = require('@grpc/grpc-js');
const { shop } = require('./lib/proto');
const { getCart, Handlers } = require('./lib/handlers');

class Server {
  static emptyHandler(call, callback) {
    callback(null, {});
  }

  start(healthProto) {
    const server = new grpc.Server();
    server.addService(
      shop.Cart.service,
      {
        getCart,
        empty: Server.emptyHandler.bind(this),
      }
    );
    server.addService(shop.Cart.service, new Handlers());
    server.addService(healthProto.Health.service, { check: () => {} });
    server.bindAsync('0.0.0.0:50051', grpc.ServerCredentials.createInsecure(), () => server.start());
  }
}
