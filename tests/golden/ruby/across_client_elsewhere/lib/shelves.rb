module Shelves
  def self.fetch(id) = Depot.link.get("shelves/#{id}")

  def self.add(shelf)
    link = Depot.link
    link.post('shelves', shelf)
  end
end
