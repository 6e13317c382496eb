package shop

import "github.com/go-resty/resty/v2"

type Orders struct {
	owner *Elsewhere
	cache *Cache
}

func create(client *resty.Client, body any) error {
	req := client.R().SetBody(body)
	_, err := req.Post("/orders")
	return err
}

// A cache is no client.
func cached(client *Cache) {
	req := client.R()
	req.Get("/cached")
}

func (o *Orders) Create() error {
	cached(o.cache)
	return create(o.owner.http, nil)
}
