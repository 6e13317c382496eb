require_relative 'api'

class Items
  def add(item)
    Api.send_to('/items', item)
  end

  def move(id)
    Api.send_to("/items/#{id}/moves", {})
  end
end
