package usersvc

import (
	"net/url"

	"github.com/go-kit/kit/endpoint"
	httptransport "github.com/go-kit/kit/transport/http"
)

func NewClient(base *url.URL) endpoint.Endpoint {
	return httptransport.NewClient("POST", copyURL(base, usersPath), encode, decode).Endpoint()
}
