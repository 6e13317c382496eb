import requests


class HTTP:
    def __init__(self, client):
        self.client = client

    def request(self, data):
        return requests.request(data["type"], "http://shop/" + data["handler"])
