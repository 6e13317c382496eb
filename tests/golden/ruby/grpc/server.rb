require 'grpc'
require_relative 'lib/cart_services_pb'

class CartServer < Shop::V1::CartService::Service
  def add_item(request, _call)
    save(request)
  end

  def get_cart(request, _call)
    Shop::V1::Cart.new
  end

  private

  def save(request)
    Shop::V1::Cart.new
  end
end

server = GRPC::RpcServer.new
server.handle(CartServer)
