require 'httparty'

class Collection
  def find(id) = HTTParty.get("http://store/v1/#{name}/#{id}")

  def get(id)
    HTTParty.get("http://store/v1/#{name}/#{id}/details")
  end

  def name
    raise NotImplementedError
  end
end
