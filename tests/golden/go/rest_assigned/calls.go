package shop

import (
	"net/http"
	"strings"
)

type Client struct {
	base   string
	realms string
}

func NewClient(base string) *Client {
	return &Client{base: base, realms: "admin/realms"}
}

func joined(path ...string) string {
	return strings.Join(path, "/")
}

func (c *Client) url(realm string, path ...string) string {
	path = append([]string{c.base, c.realms, realm}, path...)
	return joined(path...)
}

// The new value is none of this one's.
func (c *Client) plain(path ...string) string {
	s := c.base + "/" + joined(path...)
	path = append([]string{"late"}, path...)
	print(len(path))
	return s
}

func (c *Client) Users(realm string) (*http.Response, error) {
	return http.Get(c.url(realm, "users"))
}

func (c *Client) User(realm, id string) (*http.Response, error) {
	return http.Get(c.url(realm, "users", id))
}

func (c *Client) Realm(realm string) (*http.Response, error) {
	return http.Get(c.url(realm))
}

func (c *Client) Info() (*http.Response, error) {
	return http.Get(c.plain("server", "info"))
}
