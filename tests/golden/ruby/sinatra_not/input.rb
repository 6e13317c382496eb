# sinatra speaks of get "/users" do here, and Sinatra::Base of a comment
class Store
  def get(key)
    @map.get "/users"
    cache.fetch "/x" do
      1
    end
  end

  def run
    get "/users"
    it "answers get '/users'" do
      visit "/users"
    end
    options.get "/y" do |x|
      x
    end
    namespace = "/api"
    puts "get '/z' do"
  end
end
