package client

import (
	"io"
	"net/http"
)

type API interface {
	Get(path string) (*http.Response, error)
	Do(method, path string, body io.Reader) (*http.Response, error)
}

type rest struct {
	base string
	http *http.Client
}

func New() API { return &rest{base: "http://users:8080", http: http.DefaultClient} }

func (r *rest) Get(path string) (*http.Response, error) { return r.http.Get(r.base + path) }

func (r *rest) Do(method, path string, body io.Reader) (*http.Response, error) {
	req, err := http.NewRequest(method, r.base+path, body)
	if err != nil {
		return nil, err
	}
	return r.http.Do(req)
}
