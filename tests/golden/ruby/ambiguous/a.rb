class A
  def go; end
end

class B
  def go; end
end

def unknown(x)
  x.go
end

def known
  a = A.new
  a.go
end
