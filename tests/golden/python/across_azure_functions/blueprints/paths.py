USERS = "users"
