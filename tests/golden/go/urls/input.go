package main

import (
	"net/http"
	"net/url"
	"path"
	"strings"
)

const host = "users:8080"

func load(id string, base string) {
	u := url.URL{Scheme: "https", Host: host, Path: "/users/" + id}
	http.Get(u.String())
	v := &url.URL{Host: host, Path: "orders"}
	http.Get(v.String())
	joined, _ := url.JoinPath("http://carts/", "items", id)
	http.Get(joined)
	http.Get("http://h" + path.Join("/a", id, "/b"))
	http.Get(strings.TrimSuffix("http://trimmed", "/") + "/x")
	parsed, _ := url.Parse("http://parsed/y")
	http.Get(parsed.String())
	http.Get(parsed.JoinPath("users", "1").String())
	http.Get(pair{Host: "nothing"}.String())
}
