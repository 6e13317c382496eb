require "sinatra/base"

class Health < Sinatra::Application
  get("/health") { "ok" }
end
