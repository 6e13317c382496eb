Point = Struct.new(:x, :y) do
  def length
    x + y
  end
end

def run
  point = Point.new(1, 2)
  point.length
  point.x
end
