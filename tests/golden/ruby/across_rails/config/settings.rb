module Settings
  USERS = ENV.fetch('USERS_URL', 'http://users')
end
