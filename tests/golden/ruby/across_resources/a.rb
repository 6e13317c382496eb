require 'faraday'
class Client
  def get(path, params = {}); conn.get("/base#{path}", params); end
  def post(path, body = {}); conn.post("/base#{path}", body); end
  def conn; @conn ||= Faraday.new(url: 'https://r.example'); end
  def cars; Cars.new(self); end
end
class Resource
  def initialize(client); @client = client; end
  def all; client.get(resource_path); end
  def one(id); @client.get("#{resource_path}/#{id}"); end
  def add(b); @client.post(self.class::PATH, b); end
  def drop(b); @client.post("#{self.class.base}/drop", b); end
  attr_reader :client
end
class Cars < Resource
  PATH = '/cars'
  def resource_path; '/cars'; end
  def self.base; '/cars'; end
end
class Boats < Resource
  PATH = '/boats'.freeze
  def resource_path = '/boats'
  def self.base = '/boats'
end
