package main

import "example.com/shop/client"

func lookup(ctx context.Context, c *client.ClientWithResponses) {
	pet, _ := c.FindPetByIDWithResponse(ctx, 1)
	c.AddPetWithBodyWithResponse(ctx, nil)
	client.RegisterHandlers(nil, nil)
}
