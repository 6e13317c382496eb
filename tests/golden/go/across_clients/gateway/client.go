package gateway

import (
	"fmt"
	"net/http"
)

type Client struct {
	base string
	http *http.Client
}

func New(base string) *Client {
	return &Client{base: base, http: http.DefaultClient}
}

func (c *Client) User(id string) {
	c.do("GET", fmt.Sprintf("/users/%s", id))
	c.do(http.MethodPost, "/users")
}

func (c *Client) do(method, path string) {
	req, _ := http.NewRequest(method, c.base+path, nil)
	c.http.Do(req)
}

func Fetch(url string) (*http.Response, error) {
	return http.Get(url)
}
