import requests
class Settings:
    def __init__(self, u):
        self.url = u
    def reset(self, u):
        self.url = u
    def log(self):
        url = "http://wrong/v1"
        print(url)
# what the constructor assigns is the member; a local variable of another method is not, nor is what several methods assign
class Once:
    def __init__(self, u):
        self.url = u
    def log(self):
        url = "http://wrong/v1"
        print(url)
def f():
    s = Settings("http://users/v1")
    requests.get(s.url + "/a")
    o = Once("http://users/v1")
    requests.get(o.url + "/b")
