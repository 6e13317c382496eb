module Config
  LIMIT = 3
  NAMES = %w[a b].freeze
end
