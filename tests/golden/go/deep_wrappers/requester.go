package client

import "net/http"

type Requester struct {
	base string
}

func (r *Requester) build(path string, method string) (*http.Request, error) {
	return http.NewRequest(method, r.base+path, nil)
}

type API struct {
	requester *Requester
}

func (a *API) prepare(path, method string) (*http.Request, error) {
	return a.requester.build(path, method)
}

func (a *API) execute(method, path string) error {
	_, err := a.prepare(path, method)
	return err
}

func (a *API) retry(method, path string) error {
	return a.execute(method, path)
}

func (a *API) traced(method, path string) error {
	return a.retry(method, path)
}

func (a *API) Get(path string) error {
	return a.traced("GET", path)
}

func (a *API) Post(path string) error {
	return a.traced("POST", path)
}
