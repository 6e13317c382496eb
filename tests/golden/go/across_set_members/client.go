package shop

import "net/http"

type request struct {
	Method string
	Path   string
	Body   any
}

type client struct{ base string }

func (c *client) get(r *request) error {
	r.Method = "GET"
	return c.do(r)
}

func (c *client) post(r *request) error {
	r.Method = "POST"
	return c.do(r)
}

func (c *client) do(r *request) error {
	made, err := http.NewRequest(r.Method, c.base+"/api/"+r.Path, nil)
	if err != nil {
		return err
	}
	_, err = http.DefaultClient.Do(made)
	return err
}
