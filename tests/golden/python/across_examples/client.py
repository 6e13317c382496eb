import requests


class Client:
    def __init__(self, host):
        self.host = host

    def get(self, path):
        return requests.get(self.host + "/" + path)

    def get_task(self, uid):
        return self.get("tasks/" + str(uid))
