module Acme
  class Agent
    # @return [Acme::Resource]
    def call(method)
      send(method)
    end
  end

  class Resource
    def rels
    end
  end
end
