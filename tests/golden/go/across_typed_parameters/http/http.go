package http

import (
	"errors"
	"net/http"
	"net/url"
)

type Profile struct{ URL string }

type Client struct{ Profile *Profile }

func DefaultClient(profile *Profile) Client { return Client{Profile: profile} }

func (client *Client) address(path string) (x string) {
	x, _ = url.JoinPath(client.Profile.URL, "api/v1/", path)
	return
}

func (client *Client) NewRequest(method string, path string) (req *http.Request, err error) {
	if client.Profile == nil {
		return nil, errors.New("no profile")
	}
	req, err = http.NewRequest(method, client.address(path), nil)
	return
}
