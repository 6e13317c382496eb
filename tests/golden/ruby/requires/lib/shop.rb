require "json"
require "shop/store"
require_relative "shop/item"

module Shop
  def self.open
    Store.new(1).fill
  end
end
