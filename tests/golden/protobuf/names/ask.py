import grpc
import greeter_pb2_grpc


def ask(request):
    stub = greeter_pb2_grpc.GreeterServiceStub(grpc.insecure_channel("greeter:50051"))
    stub.Hello(request)
    stub.Wait(request)
