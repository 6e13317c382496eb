package main

import "example.com/gateway/gen"

func run(ctx context.Context) error {
	mux := runtime.NewServeMux()
	if err := gen.RegisterCartHandlerFromEndpoint(ctx, mux, "cart:9000", opts); err != nil {
		return err
	}
	return http.ListenAndServe(":8080", mux)
}
