require "faraday"

class Api
  def initialize
    @connection = Faraday.new(url: "http://shop")
  end

  def send_it(options)
    @connection.run_request(options[:method], options[:path], nil, nil)
  end

  def orders
    options = {}
    options[:method] = :get
    options[:path] = "/orders"
    send_it(options)
  end

  def users
    options = { method: :post }
    options.merge!(path: "/users")
    send_it(options)
  end

  def things(old)
    options = { method: :put, path: "/never" }
    options[:path] = "/things"
    options[:path] = "/old/things" if old
    send_it(options)
  end
end
