package internal

import "net/http"

type Client struct{ Base string }

func Execute[T any](client *Client, method string, path string) error {
	_, err := http.NewRequest(method, client.Base+path, nil)
	return err
}
