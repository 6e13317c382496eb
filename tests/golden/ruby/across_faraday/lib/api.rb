require 'faraday'
require_relative 'hosts'

class Api
  def initialize(url)
    @url = url
  end

  def read(path)
    Faraday.get("#{@url}#{path}")
  end

  def self.send_to(path, body)
    Faraday.post("#{Hosts::STOCK}#{path}", body)
  end
end
