import os

USERS = os.environ.get("USERS_URL", "http://users:8080")
