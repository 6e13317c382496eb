package depot

import "net/http"

type Client struct {
	base string
	*http.Client
}

type Crates struct{ *Client }

type Cache struct{ values map[string]string }

func (c *Cache) Get(key string) string { return c.values[key] }
