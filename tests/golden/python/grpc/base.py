import cart_pb2_grpc


class BaseCart(cart_pb2_grpc.CartServicer):
    def Check(self, request, context):
        return None
