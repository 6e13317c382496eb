package web

import "net/http"

type Config struct{ Registrar Registrar }

type Filter struct{ conf *Config }

func (f *Filter) routes() {
	on := f.conf.Registrar.Register
	off := f.conf.Registrar.Unregister

	on(http.MethodPost, "/filter/enable", f.enable)
	on(http.MethodGet, "/filter/status", f.status)
	off(http.MethodGet, "/filter/old", f.status)
	f.conf.Registrar.Register(http.MethodPut, "/filter/settings", f.set)
}
