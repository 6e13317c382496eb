Rails.application.routes.draw do
  namespace :api do
    resources :users, only: %i[index show]
    resources :orders
  end
end
