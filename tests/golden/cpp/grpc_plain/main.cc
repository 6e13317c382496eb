#include "greet.grpc.pb.h"

class Hello final : public greet::Greeter::Service {
  grpc::Status SayHello(grpc::ServerContext* context, const greet::Name* name, greet::Text* text) override {
    return grpc::Status::OK;
  }
};

int main() {
  std::unique_ptr<greet::Greeter::Stub> stub(greet::Greeter::NewStub(grpc::CreateChannel("localhost:50051", creds)));
  grpc::ClientContext context;
  stub->SayHello(&context, name, &text);
}
