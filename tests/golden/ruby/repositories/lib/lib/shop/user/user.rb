module Shop
  class User
    LIMIT = 3

    def initialize(id)
      @id = id
    end

    def self.load(id)
      new(id)
    end

    def user_name
      @id
    end
  end
end
