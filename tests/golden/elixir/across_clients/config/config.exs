import Config

config :shop, users_url: "http://users:4000"
config :shop, Shop.Orders, base_url: System.get_env("ORDERS_URL")
