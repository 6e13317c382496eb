class Client:
    def get(self, path):
        return 1


class Factory:
    def __call__(self, app) -> Client:
        return Client(app)
