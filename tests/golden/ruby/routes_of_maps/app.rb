require 'sinatra'
{ carts: Cart, 'users' => User }.each do |name, model|
  get("/shop/#{name}") { model.all }
end
