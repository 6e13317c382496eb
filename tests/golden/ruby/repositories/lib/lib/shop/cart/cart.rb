module Shop
  class Cart
    LIMIT = 3

    def initialize(id)
      @id = id
    end

    def self.load(id)
      new(id)
    end

    def cart_name
      @id
    end
  end
end
