module Kiosk
  class Routes < Hanami::Routes
    root to: 'home.show'

    scope 'stands' do
      get '/:id', to: 'stands.show'
      post '/', to: 'stands.create'
    end

    slice :staff, at: '/staff' do
      delete '/shifts/:id', to: 'shifts.destroy'
    end
  end
end
