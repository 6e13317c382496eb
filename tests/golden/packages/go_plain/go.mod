module github.com/acme/orders/v2 // the second

go 1.22

require github.com/acme/common v1.4.0
require (
	github.com/acme/events/v3 v3.0.1
	github.com/gorilla/mux v1.8.1
	github.com/acme/deep v0.1.0 // indirect
	// github.com/acme/gone v1.0.0
)
