module Shop
  class Order
    LIMIT = 3

    def initialize(id)
      @id = id
    end

    def self.load(id)
      new(id)
    end

    def order_name
      @id
    end
  end
end
