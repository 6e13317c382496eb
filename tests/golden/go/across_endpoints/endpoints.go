package shop

import "fmt"

// Endpoint is a path with what stands for its parameters.
type Endpoint string

func (e Endpoint) Format(a ...any) string { return fmt.Sprintf(string(e), a...) }

var (
	Base  Endpoint = "/v4"
	Order          = Base + "/orders/%s"
	Lines          = Order + "/lines"
)
