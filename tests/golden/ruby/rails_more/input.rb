Rails.application.routes.draw do
  devise_for :users
  devise_for :admins, path: "staff", skip: [:registrations]
  devise_for :accounts, only: :sessions

  concern :commentable do
    resources :comments, only: [:index, :create]
  end

  resources :posts, only: :index, concerns: :commentable
  resources :photos, only: [:show], concerns: [:commentable] do
    member do
      post :like
      get "preview"
    end
    collection do
      get :recent
    end
    get :stats, on: :member
    get :search, on: :collection
  end

  resources :articles, only: [:show] do
    resources :notes, only: [:index, :show]
  end

  scope module: :web do
    resources :pages, only: :show
  end
  scope "/v1", module: "api/v1" do
    resource :profile, only: [:show, :update]
  end
  namespace :api, defaults: { format: :json } do
    namespace :v2, path: "2" do
      resources :orders, only: %i[index], param: :number, path: "purchases"
    end
  end

  authenticate :user do
    get "/dashboard", to: "dashboard#show"
  end
  constraints subdomain: "api" do
    get "/ping", to: "pings#show"
  end
  get "/legacy", to: redirect("/new")
  direct(:homepage) { "https://example.com" }
end
