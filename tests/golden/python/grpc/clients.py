import grpc
import cart_pb2_grpc


class Clients:
    def __init__(self, channel):
        self.carts = cart_pb2_grpc.CartStub(channel)


def make(channel):
    return cart_pb2_grpc.CartStub(channel)


shared = make(grpc.insecure_channel('cart:8080'))
