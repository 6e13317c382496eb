require 'roda'

class Cabinet < Roda
  route do |r|
    r.root { 'cabinet' }

    r.on 'drawers' do
      r.get { all }
      r.post { add }

      r.on Integer do |id|
        r.get('contents') { contents(id) }
        r.delete { remove(id) }
      end
    end

    r.on 'keys', String do |name|
      r.is { r.put { turn(name) } }
    end
    r.get('labels', Integer) { |id| label(id) }
  end

  def fetch(cache)
    cache.get('nothing') { 1 }
  end
end
