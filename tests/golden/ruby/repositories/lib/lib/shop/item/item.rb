module Shop
  class Item
    LIMIT = 3

    def initialize(id)
      @id = id
    end

    def self.load(id)
      new(id)
    end

    def item_name
      @id
    end
  end
end
