Gem::Specification.new do |s|
  s.name = "app"
  s.add_dependency "acme"
end
