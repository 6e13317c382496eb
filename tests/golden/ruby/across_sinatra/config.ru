require_relative "users"
require_relative "health"

map "/api" do
  run Users
end

run Health
