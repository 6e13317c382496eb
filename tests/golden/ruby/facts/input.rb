require_relative "lib/store"
module App
  class Service < Base::Thing
    include Comparable
    def initialize(repo, x = Repo.new)
      @repo = repo
      @store = Store.new(repo)
    end
    def run(id)
      item = @store.find(id)
      item.save
      helper
      self.class.build
      other = Item.create(1)
      other.touch!
      items.each { |i| i.save }
      @repo&.find(1)
      App::Util.clean(x)
      super
      LIMIT
    end
  end
end
