package main

import "example.com/resty/client"

func main() {
	c := client.New("http://users:8080/api")
	c.User("1")
}
