Rails.application.routes.draw do
  root 'home#index'
  get '/health', to: 'health#show'
  get 'old/:id(.:format)' => 'old#show'
  get 'files/*path', to: 'files#show'
  match '/both', to: 'home#both', via: [:get, :post]
  match '/all', to: 'home#all', via: :all
  resources :users, only: [:index, :show] do
    member do
      post :follow
    end
    collection do
      get 'search'
    end
    get :preview, on: :member
    get :recent, on: :collection
    resources :posts, except: %i[destroy new edit] do
      patch 'publish', to: 'posts#publish'
    end
  end
  namespace :api, defaults: { format: :json } do
    namespace :v1 do
      resources :orders, only: :create
      resources :order_items, only: [], path: 'items' do
        delete :clear
      end
    end
    scope '/internal' do
      post 'ping', to: 'ping#create'
    end
  end
  resource :profile, only: [:show, :update]
  resources :photos
  # get '/comment', to: 'nothing#here'
end

Rails.cache.get('/nothing')
settings.get '/nothing'
