module Kiosk::Actions::Tickets
  class Show < Kiosk::Action
    def handle(request, response) = response.body = '{}'
  end
end
