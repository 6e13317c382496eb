Billing::Engine.routes.draw do
  resources :invoices, only: :index
end
