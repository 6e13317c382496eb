require "faraday"
require "httparty"
require "rest-client"

class People < Base
  def one(id)
    fetch("/people/#{id}")
  end

  def all
    fetch("/people")
  end

  def stock(id)
    Net::HTTP.start(Settings::STOCK_HOST, 80) { |http| http.get("/items/#{id}") }
    HTTParty.put("#{Settings::USERS}/people/#{id}")
    RestClient.delete("#{Settings::USERS}/people/#{id}")
    client.post("/people")
  end

  def client
    @client ||= Faraday.new(url: Settings::USERS)
  end
end
