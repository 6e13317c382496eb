require 'net/http'
class Conn
  def initialize(uri); @uri = uri; end
  def get(path = @uri.path, identifier:)
    uri_path = identifier.nil? ? path : "#{path}/#{identifier}"
    http_client.send_request('GET', uri_path, nil, {})
  end
  def http_client; Net::HTTP.new(@uri.host); end
end
class Plan
  def get_charge(plan_code, charge_code)
    connection.get(charges_uri(plan_code, charge_code), identifier: nil)
  end
  def get_charges(plan_code)
    connection.get(charges_uri(plan_code), identifier: nil)
  end
  def charges_uri(plan_code, charge_code = nil)
    url = "/api/v1/plans/#{plan_code}/charges"
    url += "/#{charge_code}" if charge_code
    URI(url)
  end
  def connection; Conn.new(URI('https://l.example')); end
end
