package main

import "net/http"

type App struct {
	mux      *http.ServeMux
	register func(path string, h http.HandlerFunc)
}

func h(w http.ResponseWriter, r *http.Request) {}

func NewApp() *App {
	a := &App{mux: http.NewServeMux()}
	a.register = func(path string, h http.HandlerFunc) { a.mux.HandleFunc("/v1"+path, h) }
	return a
}

func (a *App) routes() {
	a.register("/field", h)
	mount(a.handle)
	withPrefix("/pre", a.handle)
	handleAll(map[string]http.HandlerFunc{"/m1": h}, a.handle)
}

func (a *App) handle(p string, h http.HandlerFunc) { a.mux.HandleFunc("/h"+p, h) }

func mount(add func(string, http.HandlerFunc)) { add("/mounted", h) }

func withPrefix(prefix string, add func(string, http.HandlerFunc)) { add(prefix+"/wp", h) }

func handleAll(m map[string]http.HandlerFunc, add func(string, http.HandlerFunc)) {
	for p, f := range m {
		add(p, f)
	}
}
func main() { NewApp().routes() }
