package depot

import (
	"net/http"
	"net/url"
	"strings"
)

func text(base, id string) {
	var b strings.Builder
	b.WriteString(base)
	b.WriteString("/crates/")
	b.WriteString(id)
	http.Get(b.String())
}

func path(base, id string) {
	u, _ := url.Parse(base)
	u.Path += "/pallets/" + id
	http.Get(u.String())
}

func sum(base, id string) {
	p := base + "/trucks"
	p += "/" + id
	http.Get(p)
}

func list(base, id string) {
	parts := []string{base, "yards"}
	parts = append(parts, id)
	http.Get(strings.Join(parts, "/"))
}
