require "shop"

module Store
  class Order
    def order_name
      "own"
    end
  end

  class Basket < Shop::Cart
    include Shop::Helpers

    def show
      escape(cart_name)
    end
  end

  class Main
    KINDS = [Shop::Item, Shop::Order::LIMIT]

    def run(unknown)
      order = Shop::Order.new(1)
      order.order_name
      Shop::User.load(2).user_name
      Order.new.order_name
      unknown.tax_name
      Shop::Helpers.escape("x")
      Shop.release
    rescue Shop::Helpers::Broken
      nil
    end
  end
end
