require_relative 'client'
module L
  class Plan < Base
    def charges(id)
      uri = URI("#{client.base_api_url}plans/#{id}/charges")
      conn.send_request('GET', uri.path, nil, {})
    end
  end
end
