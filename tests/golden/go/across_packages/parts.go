package stock

// This file imports neither library.
func (c *Client) Part(id string) error {
	_, err := c.plain.Get("http://parts/v2/parts/" + id)
	return err
}

func (c *Client) Shelf(id string, deep bool) error {
	request := c.rest.R()
	if deep {
		request.SetQueryParam("deep", "1")
	}
	_, err := request.SetPathParam("id", id).Get("/shelves/{id}")
	return err
}

func (c *Client) Count(shelf map[string]int) int {
	return len(shelf)
}
