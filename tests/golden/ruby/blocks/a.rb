class Item
  def save; end
end

class Shop
  def initialize
    @items = [Item.new]
  end

  def first_item
    found = Item.new
    [1, 2].each { |n| found.save }
    found
  end

  def run
    items = first_item
    items.save
  end
end
