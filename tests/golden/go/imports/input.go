package main

import "os"

import (
	"fmt"
	"net/http"

	db "example.com/shop/store"
	. "example.com/shop/dsl"
	_ "example.com/shop/driver"
)

func main() {
	fmt.Println(os.Args)
	db.Open()
	http.Handle("/", nil)
}
