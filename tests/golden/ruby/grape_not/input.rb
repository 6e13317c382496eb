# Grape::API is what others use
module Tasks
  task :get do
    sh "get '/users'"
  end

  desc "resource"
  namespace :db do
    task :seed do
      Resource.get "/users"
      group.get(:id) { 1 }
    end
  end
end
