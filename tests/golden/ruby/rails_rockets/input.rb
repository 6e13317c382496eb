Rails.application.routes.draw do
  resources :boats, :controller => 'boats', :only => [:index, :show] do
    get 'report', :on => :collection
    get 'log', :on => :member
    resources :trips, :except => [:new, :edit, :destroy, :update]
  end
  resources :harbours, :path => 'ports', :only => :index
  match 'tides', :to => 'tides#show', :via => [:get, :post]
end
