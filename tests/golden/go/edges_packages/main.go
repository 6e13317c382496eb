package main

import (
	"fmt"

	"example.com/shop/store"
)

func main() {
	s := store.Open("x")
	s.Find(1)
	fmt.Println(store.Limit, helper())
}
