module Parcels
  def parcels
    get('/api/parcels')
  end

  def drop(id)
    delete("/api/parcels/#{id}")
  end

  def local
    other.get('/not/a/call')
  end
end
