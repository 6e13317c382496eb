package alike

import (
	"net/http"

	"github.com/gorilla/mux"
)

func gorillaNot(w http.ResponseWriter, r *http.Request) {
	id := mux.Vars(r)["id"]
	r.Header.Get("/x" + id)
	w.Header().Set("Path", "/y")
	http.Redirect(w, r, "/z", 302)
}
