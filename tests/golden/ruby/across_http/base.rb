require "net/http"

class Base
  def fetch(path)
    Net::HTTP.get_response(URI("#{Settings::USERS}#{path}"))
  end
end
