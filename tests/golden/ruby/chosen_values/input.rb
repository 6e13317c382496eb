require 'net/http'
require 'faraday'
class A
  def load(mode)
    url = mode ? '/rb/one' : '/rb/two'
    Faraday.get(url)
  end
  def iff(mode)
    url = if mode
      '/rb/three'
    else
      '/rb/four'
    end
    Faraday.get(url)
  end
  def cs(kind)
    url = case kind
      when :a then '/rb/five'
      else '/rb/six'
    end
    Faraday.get(url)
  end
end
