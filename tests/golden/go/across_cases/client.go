package parcels

import "net/http"

func send(verb, path string) (*http.Response, error) {
	switch verb {
	case "GET", "LIST":
		return http.Get("http://parcels" + path)
	default:
		return http.Post("http://parcels"+path, "text/plain", nil)
	}
}

func List() (*http.Response, error) { return send("LIST", "/api/parcels") }

func Create() (*http.Response, error) { return send("POST", "/api/parcels") }
