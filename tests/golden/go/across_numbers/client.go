package depot

import (
	"fmt"
	"net/http"
)

const version = 3

func Parcels(host string) (*http.Response, error) {
	return http.Get(fmt.Sprintf("%s/v%d/parcels", host, version))
}
