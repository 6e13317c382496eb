package kafka

import "os"

var Topic = getTopic()

var Users = envOr("USERS_ADDR", "http://users")

func getTopic() string {
	if v := os.Getenv("KAFKA_TOPIC"); v != "" {
		return v
	}
	return "orders"
}

func envOr(key, fallback string) string {
	v, ok := os.LookupEnv(key)
	if !ok {
		return fallback
	}
	return v
}
