module Shop
  class Stock
    LIMIT = 3

    def initialize(id)
      @id = id
    end

    def self.load(id)
      new(id)
    end

    def stock_name
      @id
    end
  end
end
