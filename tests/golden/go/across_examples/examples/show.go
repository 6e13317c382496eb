package main

import "example.com/client"

func main() {
	c := &client.Client{Host: "http://localhost:7700"}
	c.GetTask("17")
}
