#include <grpcpp/grpcpp.h>
#include "cart.grpc.pb.h"

namespace shop {

class Front {
 public:
  explicit Front(std::shared_ptr<grpc::Channel> channel) : stub_(v1::CartService::NewStub(channel)) {}

  void Add() {
    grpc::ClientContext context;
    grpc::Status status = stub_->AddItem(&context, request, &reply);
  }

  void AddLater() {
    std::unique_ptr<grpc::ClientAsyncResponseReader<Cart>> rpc(stub_->AsyncGetCart(&context, request, &queue_));
  }

 private:
  std::unique_ptr<v1::CartService::Stub> stub_;
};

void Clear(std::shared_ptr<grpc::Channel> channel) {
  auto stub = shop::v1::CartService::NewStub(channel);
  stub->EmptyCart(&context, request, &reply);
}

}
