class API < Grape::API
  prefix :api
  version 'v1', using: :path
  format :json

  resource :users do
    desc 'all'
    get do
      User.all
    end

    params do
      requires :id
    end
    route_param :id do
      get do
        cache.get('/nothing')
      end
      put 'name' do
      end
    end
    delete ':id' do
    end
  end
end
