require 'httparty'

class ParcelClient
  include HTTParty
  base_uri 'http://parcels'
end
