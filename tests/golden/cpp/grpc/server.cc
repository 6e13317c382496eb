#include <grpcpp/grpcpp.h>
#include "cart.grpc.pb.h"

using grpc::ServerContext;
using grpc::Status;
using shop::v1::CartService;

class CartServiceImpl final : public CartService::Service {
 public:
  Status AddItem(ServerContext* context, const AddItemRequest* request, Cart* reply) override {
    Save(request);
    return Status::OK;
  }
  Status GetCart(ServerContext* context, const GetCartRequest* request, Cart* reply) override;

 private:
  void Save(const AddItemRequest* request) {}
};

Status CartServiceImpl::GetCart(ServerContext* context, const GetCartRequest* request, Cart* reply) {
  return Status::OK;
}
