defmodule Shop.Cache do
  alias Shop.Store
  import Plug.Conn

  # HTTPoison.get!("http://users/users") and Req, Tesla, Finch in a comment; use Tesla
  @doc """
  As `Req.get!("http://orders/orders")` does; get "/users", UserController, :index of a :router or Plug.Router.
  """
  def lookup(key) do
    Map.get(Store.all(), key)
    Keyword.get(key, :url)
    Agent.get(__MODULE__, fn s -> s end)
    Store.get("/users")
    Application.put_env(:shop, :url, "http://orders/orders")
    delete("/cache")
    get_req_header(key, "/x")
    Tesla.Mock.mock(fn %{method: :get} -> "/users" end)
    "HTTPoison"
  end

  def resources(list), do: Enum.map(list, &get(&1, "/orders"))
  def get(map, path), do: map[path]
  defp delete(path), do: path
  def scope(name, _), do: name
end
