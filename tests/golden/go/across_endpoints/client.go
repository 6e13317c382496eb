package shop

import (
	"fmt"
	"net/http"
	"net/url"
	"path"
)

func order(id string) {
	http.Get("http://orders" + Order.Format(id))
	http.Get("http://orders" + Lines.Format(id))
	http.Get("http://orders" + string(Base))
}

func address(section, command string) (string, error) {
	u, err := url.Parse(fmt.Sprintf("http://orders/%s/%s", section, command))
	if err != nil {
		return "", err
	}
	u.Path = path.Clean(u.Path)
	text, _ := url.PathUnescape(u.String())
	return text, nil
}

func call(get bool, section, command string) {
	u, err := address(section, command)
	if err != nil {
		return
	}
	if get {
		http.Get(u)
	} else {
		http.Post(u, "application/json", nil)
	}
}

func list()   { call(true, "orders", "all") }
func create() { call(false, "orders", "new") }
