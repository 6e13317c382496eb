package shop

import (
	"net/http"
	"net/url"
)

func get(path string) {
	http.Get("http://orders/" + url.PathEscape(path))
}
