require "sinatra/base"

class Users < Sinatra::Base
  get "/users/:id" do
    settings.cache.get("/nothing")
  end

  post "/users" do
    201
  end
end
