module Outer
  LIMIT = 3

  class Thing
    def go
      LIMIT
    end
  end

  module Inner
    class User
      def run
        Thing.new.go
        Outer::Thing.new
      end
    end
  end
end

class Top
  def run
    Outer::Inner::User.new.run
  end
end
