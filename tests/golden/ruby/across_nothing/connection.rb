require 'net/http'

class Connection
  def get(path, identifier:)
    full = identifier.nil? ? path : "#{path}/#{identifier}"
    http.send_request('GET', full)
  end

  def destroy(path, identifier: nil)
    full = path
    full += "/#{identifier}" if identifier
    http.send_request('DELETE', full)
  end

  def put(path, bare)
    full = path
    full += '/full' unless bare
    http.send_request('PUT', full)
  end

  private

  def http
    Net::HTTP.new('parcels', 80)
  end
end
