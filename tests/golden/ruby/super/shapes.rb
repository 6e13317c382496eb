class Base
  def initialize(n)
    @n = n
  end

  def setup
  end

  def render(x)
  end
end

class Square < Base
  def initialize(n)
    super
    grow!
  end

  def setup
    super
  end

  def render(x)
    super(x)
    helper?
  end

  def grow!
  end

  def helper?
  end
end
