class Item
  def save; end
end

class Order
  attr_accessor :item

  def initialize
    @item = Item.new
  end

  def run
    item.save
    @item.save
  end
end
