require "acme_kit"

def run
  AcmeKit::Shape.new.area
end
