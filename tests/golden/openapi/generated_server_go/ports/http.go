package ports

import "net/http"

type HttpServer struct{}

func (h HttpServer) ListRooms(w http.ResponseWriter, r *http.Request) {
	w.WriteHeader(http.StatusOK)
}

func (h HttpServer) BookRoom(w http.ResponseWriter, r *http.Request, roomId string) {
	w.WriteHeader(http.StatusCreated)
}
