module Named
  def label
    name
  end
end

module Findable
  def find(id); end
end

class User
  include Named
  extend Findable

  attr_reader :name

  def show
    label
  end
end
