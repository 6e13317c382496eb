require 'roda'

class LampRoutes < Roda
  route do |r|
    r.is(String) { |id| r.patch { dim(id) } }
  end
end
