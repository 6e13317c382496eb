package main

import "context"

type server struct{}

func (s *server) ListRooms(ctx context.Context, request ListRoomsRequestObject) (ListRoomsResponseObject, error) {
	return nil, nil
}

func (s *server) ChangeRoom(ctx context.Context, request ChangeRoomRequestObject) (ChangeRoomResponseObject, error) {
	return nil, nil
}

func rooms(c *Client) {
	c.ListRooms(context.Background())
}
