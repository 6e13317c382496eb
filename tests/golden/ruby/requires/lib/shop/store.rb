module Shop
  class Store
    def initialize(size)
      @item = Item.new
    end

    def fill
      @item.save
    end
  end
end
