Gem::Specification.new do |s|
  s.name = "suite-a"
  s.version = "1.0"
  s.add_dependency "suite-b", ">= 1"
end
