module Shop
  class Item
    def save; end
  end
end
