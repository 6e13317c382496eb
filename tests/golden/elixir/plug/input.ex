defmodule Stock.Router do
  use Plug.Router

  plug :match
  plug :dispatch

  get "/stock/:sku" do
    send_resp(conn, 200, find(sku))
  end

  post "/stock", to: Stock.Create

  match "/levels", via: [:get, :post] do
    send_resp(conn, 200, "")
  end

  match "/echo" do
    send_resp(conn, 200, "")
  end

  match _ do
    send_resp(conn, 404, "")
  end
end
