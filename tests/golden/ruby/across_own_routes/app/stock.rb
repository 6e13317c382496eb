require 'sinatra/base'

class Stock < Sinatra::Base
  get('/:id') { one }
end
