package main

import (
	"os"

	"example.com/opts/client"
)

type config struct{ UsersURL string }

func load() config {
	return config{UsersURL: getenv("USERS_URL", "http://users:8080")}
}

func getenv(key, fallback string) string {
	if v := os.Getenv(key); v != "" {
		return v
	}
	return fallback
}

func main() {
	cfg := load()
	c := client.NewClient(client.WithBaseURL(cfg.UsersURL))
	c.User("1")
}
