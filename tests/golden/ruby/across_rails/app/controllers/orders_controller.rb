class Api::OrdersController < ApplicationController
  def index
    UsersClient.new.one(1)
    render json: Rails.cache.get('/nothing')
  end

  def create
  end
end
