Gem::Specification.new do |s|
  s.name = "acme"
  s.version = "1.0"
end
