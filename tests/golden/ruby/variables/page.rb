class Repo
  def find(id)
  end
end

class Cache
  def find(id)
  end
end

class Page
  attr_reader :other

  def initialize
    @repo = Repo.new
    @other = Cache.new
  end

  def by_variable
    @repo.find(1)
  end

  def by_reader
    other.find(1)
  end

  def by_method
    repo.find(1)
  end

  private

  # A method of the variable's name.
  def repo
    @repo
  end
end
