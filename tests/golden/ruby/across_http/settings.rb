module Settings
  USERS = ENV.fetch("USERS_URL", "http://users:8080").freeze
  STOCK_HOST = "stock"
end
