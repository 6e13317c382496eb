require 'httparty'
class C1
  include HTTParty
  base_uri 'https://c1.example/api'
  def one(id); request(:get, "/users/#{id}"); end
  def add(u); request(:post, '/users', body: u); end
  private
  def request(verb, path, opts = {})
    self.class.send(verb, path, opts)
  end
end
class C3
  include HTTParty
  base_uri 'https://c3.example/api'
  def self.fetch(verb, path) = send(verb, path)
  def self.all = fetch(:get, '/cs')
end
