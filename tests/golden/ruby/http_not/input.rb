require 'faraday'
require 'net/http'

class Other
  def initialize(store)
    @store = store
    @http = Hash.new
    @cache = ActiveSupport::Cache.lookup_store(:memory_store)
  end

  def load(id, params)
    @store.get("/nothing/#{id}")
    @http.delete('/nothing')
    @cache.get('/nothing')
    params.delete('/nothing')
    session.get('/nothing')
    Redis.current.get('/nothing')
    Faraday::Utils.build_url('/nothing')
    Net::HTTP::STATUS_CODES.get('/nothing')
    # Net::HTTP.get(URI('http://commented/nothing'))
    puts "Faraday.get('http://said/nothing')"
  end
end
