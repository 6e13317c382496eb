class Repo:
    limit = 3

    def find(self, key):
        return self.query(key)

    def query(self, key):
        return [key]


def make_repo() -> Repo:
    return Repo()
