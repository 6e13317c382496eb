defmodule Shop.Orders do
  @moduledoc "The orders of a shop."
  alias Shop.{Repo, Item}
  alias Shop.Users.User, as: Person
  import Shop.Money

  def get(id) when is_integer(id) do
    order = Repo.one(id)
    order |> Item.load() |> price(2)
    {:ok, Person.name(order)}
  end

  def all, do: Repo.all()

  defp price(%{cost: cost}, n), do: round_up(cost * n)
end
