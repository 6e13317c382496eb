const grpc = require('@grpc/grpc-js');
const { GreeterServiceClient } = require('./gen/greeter_grpc_pb');
const { S3Client } = require('@aws-sdk/client-s3');

function ask(nothing, done) {
  const client = new GreeterServiceClient('greeter:50051', grpc.credentials.createInsecure());
  client.wait(nothing, done);
  const s3 = new S3Client({});
  s3.hello(nothing);
  const http = new HttpClient('http://greeter');
  http.bye(nothing, done);
}
