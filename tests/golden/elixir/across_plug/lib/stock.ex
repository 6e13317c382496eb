defmodule Shop.StockRouter do
  use Plug.Router

  plug :match
  plug :dispatch

  get "/:sku" do
    send_resp(conn, 200, sku)
  end

  post "/" do
    send_resp(conn, 201, "")
  end
end
