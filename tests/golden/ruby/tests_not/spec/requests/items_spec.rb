require 'faraday'

RSpec.describe 'items' do
  it 'asks' do
    stub_request(:get, 'http://stock/items/1')
    get '/items/1'
    Faraday.get('http://stock/items/1')
  end
end
