module API
  class Root < Grape::API
    prefix :api
    version "v1", using: :path

    get :status do
      { ok: true }
    end

    mount API::Users
    mount API::Orders => "/shop"
  end
end
