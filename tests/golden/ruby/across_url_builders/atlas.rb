require 'rest-client'
require 'addressable/template'

class Atlas
  MAP = Addressable::Template.new('http://atlas/v1/maps/{name}{?zoom,layer}')

  def map(name)
    RestClient.get(MAP.expand(name: name, zoom: 3).to_s)
  end

  def tile(x, y)
    RestClient.get(url('tiles', x, y))
  end

  def legend
    RestClient.get(URI.join(@base, 'v1/', 'legends/', 'default').to_s)
  end

  def scale
    RestClient.put(URI::HTTP.build(host: 'atlas', path: '/v1/scale').to_s, 2)
  end

  private

  def url(*parts)
    [@base, 'v1', *parts].join('/')
  end
end
