class ItemsController < ApplicationController
  def show
    params.delete('/nothing')
  end
end
