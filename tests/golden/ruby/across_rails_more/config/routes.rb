Rails.application.routes.draw do
  mount Shop::Api => "/shop"
  mount Sidekiq::Web => "/sidekiq"

  namespace :admin do
    mount Billing::Engine, at: "/billing"
  end
end
