require "faraday"

class Transport
  def initialize
    @connection = Faraday.new(url: "http://shop")
  end

  def submit(options)
    @connection.run_request(options[:verb], options[:path], nil, nil)
  end
end

class Orders
  def initialize(transport)
    @transport = transport
  end

  def call(verb, path, options = {})
    options[:verb] = verb
    options[:path] = "/api" + path
    @transport.submit(options)
  end

  def all
    call(:get, "/orders")
  end

  def remove(id)
    call(:delete, "/orders/#{id}", quiet: true)
  end
end

class Client
  def orders
    Orders.new(Transport.new)
  end
end
