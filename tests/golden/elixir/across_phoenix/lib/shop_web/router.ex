defmodule ShopWeb.Router do
  use ShopWeb, :router

  scope "/api", ShopWeb do
    resources "/users", UserController
    get "/reports/:id", Admin.ReportController, :show
  end

  scope "/internal" do
    forward "/admin", ShopWeb.AdminRouter
  end
end
