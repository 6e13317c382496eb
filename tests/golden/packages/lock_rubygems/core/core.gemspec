Gem::Specification.new do |s|
  s.name = "core"
  s.add_dependency "rack", ">= 2"
end
