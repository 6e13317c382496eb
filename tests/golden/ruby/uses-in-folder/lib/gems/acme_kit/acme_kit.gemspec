Gem::Specification.new do |s|
  s.name = "acme_kit"
  s.version = "1.2"
end
