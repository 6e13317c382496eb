class Sender
  def send_off(parcel)
    ParcelClient.post('/parcels', body: parcel)
  end

  # a cache with the same methods
  def cached(id)
    Cache.get("/parcels/#{id}")
  end
end
