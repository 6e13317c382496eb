require 'faraday'

module Depot
  def self.link
    @link ||= Faraday.new(url: 'http://depot/v2') do |f|
      f.response :json
    end
  end
end
