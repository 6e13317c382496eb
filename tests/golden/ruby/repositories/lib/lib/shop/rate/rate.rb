module Shop
  class Rate
    LIMIT = 3

    def initialize(id)
      @id = id
    end

    def self.load(id)
      new(id)
    end

    def rate_name
      @id
    end
  end
end
