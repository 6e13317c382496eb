require 'faraday'
def by(h)
  id = h[:id] || ''
  Faraday.get("/rb/orders/#{id}/lines")
end
