package ask;

import hello.v1.GreeterServiceGrpc;

class Ask {
  void ask(Channel channel, Nothing nothing) {
    GreeterServiceGrpc.GreeterServiceBlockingStub stub = GreeterServiceGrpc.newBlockingStub(channel);
    stub.hello(nothing);
  }
}
