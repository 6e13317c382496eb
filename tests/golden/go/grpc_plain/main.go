// The generated code is in another module, and no .proto is here: what is called so, and looks so, is gRPC.
package main

import (
	"context"

	"google.golang.org/grpc"

	userpb "example.com/apis/user/v1"
)

type users struct {
	userpb.UnimplementedUserServiceServer
}

func (users) GetUser(ctx context.Context, r *userpb.GetUserRequest) (*userpb.User, error) {
	return &userpb.User{}, nil
}

func (users) ListUsers(r *userpb.ListUsersRequest, out userpb.UserService_ListUsersServer) error {
	return nil
}

// Reload is no method of the service.
func (users) Reload(path string) error {
	return nil
}

func (users) load(ctx context.Context, r *userpb.GetUserRequest) (*userpb.User, error) {
	return nil, nil
}

func main() {
	server := grpc.NewServer()
	userpb.RegisterUserServiceServer(server, users{})
	conn, _ := grpc.NewClient("users:9000")
	client := userpb.NewUserServiceClient(conn)
	client.GetUser(context.Background(), &userpb.GetUserRequest{})
	userpb.NewUserServiceClient(conn).ListUsers(context.Background(), nil)
}

// Streams are called clients, too.
func drain(s userpb.UserService_ListUsersClient, t grpc.ServerStreamingClient[userpb.User]) {
	s.Recv()
	t.Recv()
}
