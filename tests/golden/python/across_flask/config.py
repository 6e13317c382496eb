import os


class Config:
    USERS_URL = "http://{}/v1".format(os.environ.get("USERS_ADDR", "users:8080"))
