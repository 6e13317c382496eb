require 'faraday'
require_relative 'parcels'
require_relative 'boxes'

class Client
  include Parcels
  include Boxes

  def get(path, params = {})
    request(:get, path, params)
  end

  def delete(path)
    request(:delete, path)
  end

  private

  def connection
    @connection ||= Faraday.new(url: 'http://depot')
  end

  def request(method, path, params = {})
    connection.send(method.to_sym, path, params)
  end
end
