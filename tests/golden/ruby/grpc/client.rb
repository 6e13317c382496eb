class Front
  def initialize
    @carts = Shop::V1::CartService::Stub.new('carts:50051', :this_channel_is_insecure)
  end

  def add(item)
    @carts.add_item(Shop::V1::AddItemRequest.new(item: item))
  end

  def clear
    carts.empty_cart(Shop::V1::GetCartRequest.new)
  end

  def carts
    Shop::V1::CartService::Stub.new('carts:50051', :this_channel_is_insecure)
  end
end
