require "acme"

class App
  # @return [Acme::Agent]
  attr_reader :agent

  # @param other [Acme::Agent, nil]
  # @param options [Hash]
  def run(other, options)
    agent.call(:get)
    other.call(:get)
    options.call(:get)
  end
end
