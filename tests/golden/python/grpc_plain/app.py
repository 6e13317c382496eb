import grpc
import greeter_pb2
import greeter_pb2_grpc
from chat_pb2_grpc import ChatStub as Chat


class Greeter(greeter_pb2_grpc.GreeterServicer):
    def SayHello(self, request, context):
        return greeter_pb2.HelloReply()

    def helper(self):
        return None


def run():
    with grpc.insecure_channel('localhost:50051') as channel:
        stub = greeter_pb2_grpc.GreeterStub(channel)
        print(stub.SayHello(greeter_pb2.HelloRequest()))
        Chat(channel).Talk(iter([]))
