require_relative "base"

class Derived < Base
  def open
    close
  end
end

class Deeper < Derived
  def run
    open
    close
  end
end
