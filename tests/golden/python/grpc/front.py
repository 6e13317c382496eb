from clients import Clients, shared
import cart_pb2


class Front:
    def __init__(self, channel):
        self.clients = Clients(channel)

    def show(self):
        return self.clients.carts.GetCart(cart_pb2.GetCartRequest())


def add():
    return shared.AddItem(cart_pb2.AddItemRequest(), timeout=2)
