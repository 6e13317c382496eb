class Config:
    class Paths:
        books = "/books"

    def __init__(self, key):
        self.key = key
        self.paths = self.Paths()
