package main

import st "example.com/shop/store"

func helper() *st.Store {
	return &st.Store{}
}
