package trees

import (
	"net/http"
	"net/url"
	"path"
)

type Client struct {
	base  string
	http  *http.Client
	Oaks  *kind[Oak]
	Pines *kind[Pine]
}

type kind[T any] struct {
	c    *Client
	name string
}

type call struct {
	verb string
	path string
}

func New(base string) *Client {
	c := &Client{base: base, http: http.DefaultClient}
	c.Oaks = &kind[Oak]{c, "oaks"}
	c.Pines = &kind[Pine]{c: c, name: "pines"}
	return c
}

func (k *kind[T]) Get(id string) (*T, error) {
	return fetch[T](k.c, http.MethodGet, "/v1/"+k.name+"/"+id)
}

func fetch[T any](c *Client, verb, path string) (*T, error) {
	req, err := http.NewRequest(verb, c.base+path, nil)
	if err != nil {
		return nil, err
	}
	return decode[T](c.http.Do(req))
}

func (c *Client) send(k *call) error {
	req, _ := http.NewRequest(k.verb, c.base+"/v1"+k.path, nil)
	_, err := c.http.Do(req)
	return err
}

func (c *Client) Cut(id string) error {
	k := &call{verb: http.MethodDelete, path: "/trees/" + id}
	return c.send(k)
}

func (c *Client) Plant() error { return c.send(&call{"POST", "/trees"}) }

// Paths of URLs that are objects.
func Leaves(base string, id string) {
	u, _ := url.Parse(base)
	u.Path = path.Join(u.Path, "v1/leaves", id)
	http.Get(u.String())
}

func Roots(base *url.URL, id string) {
	http.Get(base.ResolveReference(&url.URL{Path: "/v1/roots/" + id}).String())
}

// A function between the one that sends and the one that knows the call.
type order struct {
	verb string
	path string
}

func (c *Client) run(o *order) error {
	if o.path == "" {
		return nil
	}
	return c.transmit(o)
}

func (c *Client) transmit(o *order) error {
	req, _ := http.NewRequest(o.verb, c.base+o.path, nil)
	_, err := c.http.Do(req)
	return err
}

func (c *Client) Water(id string) error {
	o := &order{verb: http.MethodPost, path: "/v1/water/" + id}
	return c.run(o)
}

func (c *Client) Weather() error {
	return c.run(&order{verb: http.MethodGet, path: "/v1/weather"})
}
