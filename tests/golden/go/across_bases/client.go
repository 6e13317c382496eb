package client

import (
	"net/http"
	"strings"
)

type Client struct{ base string }

func New(base string) *Client {
	if !strings.HasSuffix(base, "/") {
		base += "/"
	}
	return &Client{base: base}
}

func (c *Client) Users() { http.Get(c.base + "users") }
