defmodule ShopWeb.UserController do
  use ShopWeb, :controller

  def index(conn, _params), do: json(conn, [])
  def show(conn, %{"id" => id}), do: json(conn, %{id: id})
  def create(conn, params), do: json(conn, params)
  def update(conn, params), do: json(conn, params)
  def delete(conn, _params), do: send_resp(conn, 204, "")
end
