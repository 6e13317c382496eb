import grpc
from concurrent import futures

import cart_pb2_grpc
from base import BaseCart


class Cart(BaseCart):
    def GetCart(self, request, context):
        return self._find(request)

    async def AddItem(self, request, context):
        return None

    def _find(self, request):
        return None


def serve():
    server = grpc.server(futures.ThreadPoolExecutor())
    cart_pb2_grpc.add_CartServicer_to_server(Cart(), server)
