module Shop
  class Parser
    LIMIT = 3

    def initialize(id)
      @id = id
    end

    def self.load(id)
      new(id)
    end

    def parser_name
      @id
    end
  end
end
