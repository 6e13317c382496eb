defmodule Shop.Main do
  use Plug.Router

  plug :match
  plug :dispatch

  get "/ready" do
    send_resp(conn, 200, "")
  end

  forward "/stock", to: Shop.StockRouter
end
