import urllib3
import json
http = urllib3.PoolManager()
HOST = "http://inventory:7000"

def stock(id):
    return http.request("GET", f"{HOST}/stock/{id}")

def put(id, body):
    return http.request("PUT", HOST + "/stock/" + id, body=json.dumps(body))

def plain():
    return urllib3.request("DELETE", HOST + "/all")

class Api:
    def __init__(self):
        self.pool = urllib3.HTTPConnectionPool("reports", port=80)
    def run(self):
        return self.pool.request("POST", "/reports")
