require 'sinatra/base'
require 'net/http'

class App < Sinatra::Base
  get '/users/:id' do
    settings.get('/nothing')
    Net::HTTP.get(URI('http://users/called'))
  end

  namespace '/api' do
    post('/items') { 'ok' }
    delete '/items/:id/*' do
      halt 204
    end
  end

  helpers do
    def cached
      cache.get('/nothing') { 1 }
    end
  end
end

get '/nothing'
