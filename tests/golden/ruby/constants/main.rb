require_relative "config"

def run
  Config::LIMIT + Config::NAMES.size
end
