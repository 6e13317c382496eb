import requests
from config import Config
from transport import Transport, by_condition, by_table


class Books:
    def __init__(self, config: Config):
        self.config = config
        self.transport = Transport()

    def one(self, number):
        return self.transport.send(requests.get, f"{self.config.paths.books}/{number}")

    def add(self, book):
        return self.transport.send(requests.post, self.config.paths.books, book)

    def remove(self, number):
        return self.transport.call("DELETE", f"/books/{number}")

    def authors(self):
        return by_table("fetch", "/authors")

    def add_author(self, author):
        return by_table("store", "/authors")

    def shelf(self, body):
        return by_condition("/shelf", body)
