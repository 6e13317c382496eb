require 'net/http'
require 'uri'

module Stock
  HOST = ENV.fetch('STOCK_HOST', 'stock')

  def self.count(id)
    uri = URI("http://#{HOST}:8080/items/#{id}")
    Net::HTTP.get(uri)
  end

  def self.add(item)
    uri = URI.parse("http://#{HOST}/items")
    Net::HTTP.post(uri, item.to_json, 'Content-Type' => 'application/json')
  end

  def self.form(item)
    Net::HTTP.post_form(URI("http://#{HOST}/forms"), item)
  end

  def self.drop(id)
    http = Net::HTTP.new(HOST, 8080)
    request = Net::HTTP::Delete.new("/items/#{id}")
    http.request(request)
  end

  def self.put(id, item)
    http = Net::HTTP.new('shelf', 80)
    request = Net::HTTP::Put.new("/shelves/#{id}")
    request.body = item
    response = http.request(request)
    response.code
  end

  def self.sure(id)
    Net::HTTP.start(HOST, 443, use_ssl: true) do |http|
      http.patch("/items/#{id}", '{}')
    end
  end
end
