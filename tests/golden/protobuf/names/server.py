import greeter_pb2_grpc


class Greeter(greeter_pb2_grpc.GreeterServiceServicer):
    def Hello(self, request, context):
        return request

    def Bye(self, request, context):
        return request

    def Wait(self, request, context):
        return request
