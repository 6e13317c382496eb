defmodule ShopWeb.Router do
  use ShopWeb, :router

  @admin "/admin"

  pipeline :api do
    plug :accepts, ["json"]
  end

  scope "/", ShopWeb do
    pipe_through :browser
    get "/", PageController, :home
    get("/files/*path", FileController, :show, as: :file)
    live "/carts/:id", CartLive.Show, :show
    live_session :admin do
      live "/admin/carts", CartLive.Index
    end
  end

  scope "/api", ShopWeb, as: :api do
    pipe_through [:api, :auth]

    resources "/users", UserController, only: [:index, :show]
    resources "/orders", OrderController, except: [:new, :edit] do
      resources "/items", ItemController, only: ~w(create delete)a
      post "/cancel", OrderController, :cancel
    end
    resources "/profile", ProfileController, singleton: true, only: [:show, :update]

    scope "/v2" do
      put "/stock/:sku", Stock.LevelController, :update
      match :*, "/any", AnyController, :any
    end
  end

  scope @admin, ShopWeb do
    delete "/users/:id", AdminController, :delete
  end

  scope path: "/hooks" do
    post "/:provider", ShopWeb.HookController, :receive
  end

  scope "/packages" do
    for prefix <- ["/", "/repos/:repository"] do
      scope prefix do
        get "/latest", PackageController, :latest
      end
    end
  end

  forward "/mail", Bamboo.SentEmailViewerPlug
end
