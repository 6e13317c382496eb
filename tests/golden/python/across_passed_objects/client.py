from . import api
from .http import HTTP


class Client:
    def __init__(self):
        self.http = HTTP(self)
        self.jellyfin = api.API(self.http)
