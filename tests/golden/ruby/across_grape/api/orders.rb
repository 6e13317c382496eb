module API
  class Orders < Grape::API
    namespace :orders do
      post do
        Order.create
      end
    end
  end
end
