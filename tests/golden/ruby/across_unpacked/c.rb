require 'net/http'
class Api
  def prepare(path, params)
    ["/api#{path}", params]
  end
  def get(path)
    url, params = prepare(path, {})
    http.send_request('GET', url)
  end
  def older(path)
    url, _body = "/api#{path}", 1
    http.send_request('GET', url)
  end
  def http
    Net::HTTP.new('parcels', 80)
  end
  def list
    get('/parcels')
  end
  def old
    older('/old')
  end
end
