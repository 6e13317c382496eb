package client

func send(ctx context.Context, c pb.MailClient) {
	c.Send(ctx, &pb.SendRequest{})
}
