require 'faraday'

class Catalog
  URL = 'http://catalog:8080/v1'

  def initialize
    @conn = Faraday.new(url: URL) do |f|
      f.request :json
      f.response :raise_error
    end
  end

  def one(id)
    @conn.get("products/#{id}")
  end

  def find(name)
    @conn.get('products', { name: name }) { |req| req.options.timeout = 5 }
  end

  def add(product)
    @conn.post do |req|
      req.url 'products'
      req.body = product
    end
  end

  def rooted(id)
    @conn.get("/v2/products/#{id}")
  end

  def drop(id)
    Faraday.delete("#{URL}/products/#{id}")
  end

  def stubbed(stubs)
    stubs.get('/nothing') { [200, {}, ''] }
    @conn.headers.delete('/nothing')
    @conn.options.get('/nothing')
  end
end
