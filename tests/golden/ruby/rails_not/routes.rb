# Looks like routes, and is a list of names that another program reads.
Shop::Registry.describe do
  get "/users", to: "users#index"
  resources :users
end

class Cache
  def warm(routes)
    routes.get("/users")
    resources.each { |r| r.get("/orders") }
  end
end
