package main

import (
	"net/http"
	"os"
)

func main() {
	prefix := ""
	if base := os.Getenv("BASE_PATH"); base != "" {
		prefix = "/" + base
	}
	http.HandleFunc(prefix+"/users", list)
	http.ListenAndServe(":80", nil)
}
