package client

import "net/http"

type Client struct{ Host string }

func (c *Client) get(path string) (*http.Response, error) {
	return http.Get(c.Host + "/" + path)
}

func (c *Client) GetTask(id string) (*http.Response, error) {
	return c.get("tasks/" + id)
}
