package main

import (
	"net/http"

	"example.com/rooms/ports"
	"github.com/go-chi/chi/v5"
)

// Takes no request: nobody answers what is called so.
func CloseHouse(door string) error {
	return nil
}

func main() {
	http.ListenAndServe(":8080", ports.HandlerFromMux(ports.HttpServer{}, chi.NewRouter()))
}
