package shop

func (c *client) orders() error { return c.get(&request{Path: "orders"}) }

func (c *client) create(body any) error {
	r := &request{Body: body}
	r.Path = "orders"
	return c.post(r)
}

func (c *client) remove(id string) error {
	return c.do(&request{Method: "DELETE", Path: "orders/" + id})
}
