module Paths
  API = '/api'
  TICKETS = '/tickets'
end
