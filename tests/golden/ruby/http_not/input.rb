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

# Objects with methods of these names, and classes that are no requests.
class Factory
  def build(kind, registry, klass)
    kind.new('/nothing')
    registry[:order].new('/nothing')
    Object.const_get('Order').new('/nothing')
    klass.new(URI('http://nothing'))
    registry.send(:store, '/nothing')
    @pool.public_send(:delete, '/nothing')
    Order.get('/nothing')
    @pool.request(method: :get, path: '/nothing')
  end
end
