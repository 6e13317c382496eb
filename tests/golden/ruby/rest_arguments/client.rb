require 'faraday'

class Orders
  def initialize(base)
    @conn = Faraday.new(url: base)
  end

  def request(*parts, **options)
    path = '/v1/' + parts.join('/')
    @conn.run_request(options[:method], path, nil, {})
  end

  def all
    request('orders', method: :get)
  end

  def cancel(id)
    request('orders', id, 'cancel', method: :post)
  end
end
