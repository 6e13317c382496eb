Gem::Specification.new do |s|
  s.name = "suite-b"
  s.add_dependency("acme-core")
end
