package usersvc

import "net/url"

const usersPath = "/users"

func copyURL(base *url.URL, path string) *url.URL {
	next := *base
	next.Path = path
	return &next
}
