require 'net/http'
module L
  API_PATH = 'api/v1/'
  class Client
    def base_api_url
      URI.join(base_url, API_PATH)
    end
    def base_url; @u || 'https://l.example/'; end
    def plans; Plan.new(self); end
  end
  class Base
    attr_reader :client
    def initialize(client); @client = client; end
    def conn; Net::HTTP.new('l.example'); end
  end
end
