module Shop
  module Helpers
    class Broken < StandardError; end

    def escape(text)
      text
    end

    module_function :escape
  end
end
