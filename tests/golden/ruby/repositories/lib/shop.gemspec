Gem::Specification.new do |s|
  s.name = "shop"
  s.version = "1.0"
end
