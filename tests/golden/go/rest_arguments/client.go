package client

import (
	"net/http"
	"strings"
)

type Orders struct{ base string }

func (o *Orders) request(method string, parts ...string) {
	req, _ := http.NewRequest(method, o.base+"/v1/"+strings.Join(parts, "/"), nil)
	http.DefaultClient.Do(req)
}

func (o *Orders) All() { o.request("GET", "orders") }

func (o *Orders) Cancel(id string) { o.request("POST", "orders", id, "cancel") }
