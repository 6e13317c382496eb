require_relative 'paths'

module Kiosk
  class Routes < Hanami::Routes
    scope Paths::API do
      get Paths::TICKETS, to: 'tickets.index'
    end
    get "#{Paths::TICKETS}/:id", to: 'tickets.show'
  end
end
