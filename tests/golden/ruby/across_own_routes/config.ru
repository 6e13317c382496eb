require_relative 'app/parts'

map '/shop' do
  map '/depot' do
    run Rack::URLMap.new('/stock' => Stock.new)
  end
end
