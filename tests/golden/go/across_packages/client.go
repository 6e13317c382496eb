package stock

import (
	"net/http"

	"github.com/go-resty/resty/v2"
)

type Client struct {
	plain *http.Client
	rest  *resty.Client
}

type bearer struct{ next http.RoundTripper }

// The client's address is in a literal without field names.
func New() *Client {
	return &Client{http.DefaultClient, resty.New().SetBaseURL("http://stock/api").SetTransport(bearer{http.DefaultTransport})}
}
