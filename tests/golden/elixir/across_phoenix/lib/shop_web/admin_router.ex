defmodule ShopWeb.AdminRouter do
  use Phoenix.Router

  scope "/v1" do
    get "/stats", ShopWeb.StatsController, :index
  end
end
