# frozen_string_literal: true
require_relative "lib/inner/version"

Gem::Specification.new do |spec|
  spec.name          = "acme-inner"
  spec.version       = Inner::VERSION
  spec.files = Dir.chdir(__dir__) do
    `git ls-files`.split("\n")
  end
  if spec.respond_to?(:metadata)
    spec.metadata["x"] = "y"
  end
  spec.add_dependency "acme-core", "~> 1.0", "< 3"
  spec.add_runtime_dependency("acme-http")
  spec.add_development_dependency "rake", "~> 13.0"
end
