package boats

import "github.com/go-openapi/runtime"

func (a *Client) FindBoat(params *FindBoatParams, auth runtime.ClientAuthInfoWriter) (*FindBoatOK, error) {
	result, err := a.transport.Submit(&runtime.ClientOperation{
		ID:                 "findBoat",
		Method:             "GET",
		PathPattern:        "/boats/{id}",
		ProducesMediaTypes: []string{"application/json"},
	})
	return result.(*FindBoatOK), err
}
