package shop

import (
	"net/http"
	"net/url"
	"strings"
)

const base = "http://orders/"

func fallback(path string) {
	if path == "" {
		path = "all"
	}
	http.Get(base + path)
}

func prefixed(path string) {
	if strings.HasPrefix(path, "/") {
		path = path[1:]
	} else {
		path = "api/" + path
	}
	http.Get(base + path)
}

func address(path string) (u string) {
	u, _ = url.JoinPath(base, "v1", path)
	return
}

func request(method, path string) (r *http.Request, err error) {
	if method == "" {
		return
	}
	r, err = http.NewRequest(method, address(path), nil)
	return
}
