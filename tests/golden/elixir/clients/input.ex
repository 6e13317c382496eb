defmodule Shop.Clients do
  @users "http://users:4000/api"

  def user(id), do: HTTPoison.get!("#{@users}/users/#{id}")

  def create(user) do
    url = @users <> "/users"
    case HTTPoison.post(url, Jason.encode!(user), [{"content-type", "application/json"}]) do
      {:ok, response} -> response.body
    end
  end

  def drop(id), do: HTTPoison.request(:delete, "http://users:4000/api/users/#{id}", "", [])

  def orders do
    Req.get!("http://orders/orders", params: [page: 1]).body
  end

  def order(id) do
    req = Req.new(base_url: "http://orders/v1", retry: false)
    Req.get!(req, url: "/orders/#{id}")
  end

  def pay(id) do
    Req.new(base_url: "http://orders/v1")
    |> Req.post!(url: "/orders/#{id}/pay", json: %{})
  end

  def cancel(id) do
    Req.request!(method: :delete, url: "http://orders/orders/#{id}")
  end

  def stock(sku) do
    Finch.build(:get, "http://stock/levels/" <> sku) |> Finch.request(Shop.Finch)
  end

  def restock(sku) do
    base = System.get_env("STOCK_URL", "http://stock:8080")
    :hackney.request(:put, base <> "/levels/" <> sku, [], "", [])
  end

  def ping, do: :httpc.request(:get, {"http://stock/ping", []}, [], [])

  def rate(code) do
    client = Tesla.client([{Tesla.Middleware.BaseUrl, "http://rates"}, Tesla.Middleware.JSON])
    Tesla.get(client, "/rates/" <> code)
  end

  def refresh, do: Tesla.post("http://rates/refresh", "")
end

defmodule Shop.Mailer do
  use Tesla

  plug Tesla.Middleware.BaseUrl, "https://mail.example.com/v3"
  plug Tesla.Middleware.JSON

  def send(message), do: post("/messages", message)
  def status(id) do
    {:ok, response} = get("/messages/" <> id)
    response.status
  end
end
