package main

import (
	"net/http"

	"example.com/shop/items"
	"example.com/shop/users"
)

func main() {
	mux := http.NewServeMux()
	users.Register(mux)
	mux.HandleFunc("GET /items/{id}", items.Show)
	mux.Handle("/admin/", http.StripPrefix("/admin", items.Admin()))
	http.ListenAndServe(":8080", mux)
}
