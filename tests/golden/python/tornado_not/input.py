import tornado.web
PAIRS = [("/users", "x"), ("/etc/passwd", open)]
SIZES = [("a/b", Exception)]
class Store:
    def get(self, key): ...
store = Store()
store.get("/x")
