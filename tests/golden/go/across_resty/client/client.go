package client

import "github.com/go-resty/resty/v2"

type Client struct{ rest *resty.Client }

func New(base string) *Client {
	return &Client{rest: resty.New().SetBaseURL(base)}
}

func (c *Client) User(id string) (*resty.Response, error) {
	return c.rest.R().SetHeader("Accept", "application/json").Get("/users/" + id)
}

func (c *Client) Drop(id string) (*resty.Response, error) {
	return c.rest.R().Delete(ordersURL + "/orders/" + id)
}
