package main

import "example.com/lib/client"

func main() {
	o := client.New()
	client.Connect(o, client.ListOptions{})
	fmt.Println(o)
}
