require_relative 'connection'

class Parcels
  def list
    Connection.new.get('/api/parcels', identifier: nil)
  end

  def one
    Connection.new.get('/api/parcels', identifier: '7')
  end

  def drop_all
    Connection.new.destroy('/api/parcels')
  end

  def drop
    Connection.new.destroy('/api/parcels', identifier: '7')
  end

  def bare
    Connection.new.put('/api/parcels', true)
  end

  def whole
    Connection.new.put('/api/parcels', false)
  end
end
