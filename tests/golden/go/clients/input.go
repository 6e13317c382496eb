package main

import (
	"net/http"

	httptransport "github.com/go-kit/kit/transport/http"
	"github.com/go-resty/resty/v2"
	"golang.org/x/net/context/ctxhttp"
)

const users = "http://users:8080"

type gateway struct {
	client *http.Client
	rest   *resty.Client
	cache  *Cache
}

func (g *gateway) load(id string) {
	g.client.Get(users + "/field/" + id)
	g.cache.Get(users + "/nothing")
	req, _ := http.NewRequest("PUT", users+"/made", nil)
	g.client.Do(req)
	ctxhttp.Get(ctx, nil, users+"/context")
	resp, _ := http.DefaultClient.Post(users+"/default", "text/plain", nil)
	resp.Header.Get("/nothing")
	httptest.NewRequest("GET", "/nothing", nil)
	os.Getenv("/nothing")
}

func rest(id string) {
	client := resty.New().SetBaseURL(users)
	client.R().Get("/plain")
	client.R().SetBody(id).Post("/body")
	client.R().SetContext(ctx).SetHeader("a", "b").SetBody(id).Patch("/chain/" + id)
	client.R().Execute(http.MethodDelete, "/executed")
	other.R().Get(users + "/absolute")
	other.Get("/nothing")
	httptransport.NewClient("POST", copyURL(u, "/kit"), encode, decode)
}
