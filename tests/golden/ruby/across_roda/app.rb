require 'roda'
require_relative 'lamps'

class App < Roda
  route do |r|
    r.on 'house' do
      r.on('lamps') { r.run LampRoutes }
    end
  end
end
