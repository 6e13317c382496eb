require "faraday"

class StockClient
  def initialize(host, legacy)
    if legacy
      @base = "#{host}/api/v1"
    else
      @base = "#{host}/api/v2"
    end
  end

  def entries(product)
    Faraday.get("#{@base}/products/#{product}/entries")
  end
end
