module Hosts
  STOCK = ENV.fetch('STOCK_URL', 'http://stock:9000')
end
