const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');
const services = require('./greeter_grpc_pb');

const hello = grpc.loadPackageDefinition(loader.loadSync('/protos/hello.proto')).hello.v1;

function sayHello(call, callback) {
  callback(null, { message: 'hello' });
}

const server = new grpc.Server();
server.addService(hello.Greeter.service, { sayHello: sayHello });

const client = new hello.Greeter('localhost:50051', grpc.credentials.createInsecure());
client.sayHello({ name: 'you' }, () => {});

const made = new services.GreeterClient('localhost:50051', grpc.credentials.createInsecure());
made.sayHelloAgain({}, () => {});

const messages = require('./greeter_pb');
const request = new messages.HelloRequest();
request.setName('you');
server.addService(services.ChatService, { talk: sayHello });
