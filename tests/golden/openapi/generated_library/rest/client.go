package rest

import (
	"context"
	"net/http"
)

func (c *APIClient) prepareRequest(ctx context.Context, path, method string, body any) (*http.Request, error) {
	return http.NewRequest(method, path, encode(body))
}
