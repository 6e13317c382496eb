package ask

import pb "example.com/hello/v1"

func ask(ctx context.Context, conn *grpc.ClientConn) {
	client := pb.NewGreeterServiceClient(conn)
	client.Bye(ctx, &pb.Nothing{})
}
