require 'net/http'
require 'faraday'
class GetUser
  def initialize(id); @id = id; end
  def http_method; :get; end
  def path; "/users/#{@id}"; end
end
class CreateUser
  def http_method; :post; end
  def path; "/users"; end
end
class Api
  def initialize(base); @conn = Faraday.new(url: base); end
  def send_request(r)
    @conn.run_request(r.http_method, r.path, nil, {})
  end
  def get_user(id); send_request(GetUser.new(id)); end
  def create_user; send_request(CreateUser.new); end
end
