require 'faraday'

class UsersClient
  def one(id)
    connection.get("/users/#{id}")
  end

  private

  def connection
    @connection ||= Faraday.new(url: Settings::USERS)
  end
end
