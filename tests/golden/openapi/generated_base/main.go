package main

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"example.com/rooms/api"
)

type rooms struct{}

// The other function is of another repository: its route is where it is registered.
func (rooms) GetRoom(w http.ResponseWriter, r *http.Request) {}

func main() {
	http.ListenAndServe(":8080", api.HandlerFromMuxWithBaseURL(rooms{}, chi.NewRouter(), "/hotel/v1"))
}
