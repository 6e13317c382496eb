require "faraday"

class Client
  def initialize(host, base: "/control")
    @host = host
    @base = base
    @base += "/" unless @base.end_with?("/")
  end

  def get(path)
    Faraday.get("http://#{@host}#{@base}#{path}")
  end

  def users
    get("users")
  end
end
