require 'sinatra/base'

module Routing
  def versioned(verb, path, &block)
    send(verb, "/v2#{path}", &block)
  end
end
