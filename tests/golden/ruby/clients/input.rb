require 'net/http'
require 'faraday'
require 'httparty'
require 'rest-client'

USERS = ENV.fetch('USERS_URL', 'http://users:8080').freeze

class Orders
  include HTTParty
  base_uri 'http://orders'

  def all
    self.class.get('/orders')
  end

  def self.one(id)
    get("/orders/#{id}")
  end

  def cached
    Rails.cache.get('/nothing')
  end
end

class Gateway
  def initialize
    @conn = Faraday.new(url: USERS)
    @base = 'http://carts'
  end

  def connection
    @connection ||= Faraday.new('http://catalog') { |f| f.adapter :x }
  end

  def load(id, other)
    @conn.get("/users/#{id}")
    @conn.post '/users', { a: 1 }
    connection.put("/products/#{id}")
    Faraday.delete("#{@base}/carts/#{id}")
    RestClient.get "#{USERS}/rest/" + id.to_s
    RestClient::Request.execute(method: :patch, url: "#{USERS}/executed")
    HTTParty.post(USERS + '/party')
    uri = URI.parse("#{USERS}/parsed")
    Net::HTTP.get_response(uri)
    request = Net::HTTP::Put.new(uri)
    http = Net::HTTP.new('payment', 80)
    http.request(Net::HTTP::Post.new('/pay'))
    http.get('/status')
    Net::HTTP.get(URI.join(USERS, '/joined'))
    Net::HTTP.start('shipping') do |h|
      h.delete("/shipments/#{id}")
    end
    other.get('/nothing')
    ENV.fetch('/nothing')
    # Faraday.get('http://comment/nothing')
  end
end
