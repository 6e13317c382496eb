class Base
  def open; end

  def close; end
end
