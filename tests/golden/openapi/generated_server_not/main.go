package main

import "net/http"

type rooms struct{}

func (rooms) ListRooms(w http.ResponseWriter, r *http.Request) {
	w.WriteHeader(http.StatusOK)
}

func (rooms) CloseHouse(door string) error {
	return nil
}
