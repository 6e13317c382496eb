class Counter
  LIMIT = 3

  def initialize
    @count = 0
  end

  def add(n)
    bump(n)
    self.check
    LIMIT
  end

  def self.build
    made = Counter.new
    made.add(1)
  end

  def run
    Counter.build
    self.class.build
  end

  private

  def bump(n); end

  def check; end
end
