require "shop/order"

module Shop
  VERSION = "1.0"
  autoload :Parser, "shop/parser"

  def self.release
    VERSION
  end
end
