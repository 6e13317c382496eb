from requester import Requester


class Orders(Requester):
    def get(self, id):
        return super().get("/orders/" + id)

    def list(self):
        return super().get("/orders")


class Users(Requester):
    def create(self):
        return self.post("/users")

    def one(self, id):
        return self.get("/users/" + id)
