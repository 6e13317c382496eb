defmodule Shop.Clients do
  alias Shop.Urls

  def user(id), do: HTTPoison.get!(Urls.users() <> "/users/#{id}")
  def order(id), do: Req.get!(Urls.order(id))
  def stored(id), do: Req.get!("#{Application.get_env(:shop, :users_url)}/users/#{id}")
  def listed, do: Tesla.get(Application.fetch_env!(:shop, :users_url) <> "/users")

  def all(path), do: fetch("/orders")
  defp fetch(path), do: Finch.build(:get, "http://orders" <> path) |> Finch.request(F)
end

defmodule Shop.Rates do
  alias Shop.Api

  def rate(code), do: Tesla.get(Api.client(), "/rates/#{code}")
  def rates, do: Api.request() |> Req.get!(url: "/rates")
end

defmodule Shop.Api do
  def client, do: Tesla.client([{Tesla.Middleware.BaseUrl, "http://rates"}])
  def request, do: Req.new(base_url: "http://rates/v2")
end
