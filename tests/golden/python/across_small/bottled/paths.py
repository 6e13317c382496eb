USERS = "/bottled/users"
