package trips

import "net/http"

func each(id string, train bool) {
	var url string
	if train {
		url = "http://trains/trips/" + id
	} else {
		url = "http://buses/lines/" + id
	}
	http.Get(url)
}

func perhaps(all bool) {
	path := "/orders"
	if all {
		path = "/orders/all"
	}
	http.Post("http://shop"+path, "", nil)
}

func one(id string) {
	url := "http://shop/first"
	http.Get(url)
	url = "http://shop/second/" + id
	http.Get(url)
}

func chosen(kind int) {
	url := "http://shop/other"
	switch kind {
	case 1:
		url = "http://shop/one"
	case 2:
		url = "http://shop/two"
	}
	http.Head(url)
}

func appended(all bool) {
	url := "http://shop/list"
	if all {
		url += "/all"
	}
	http.Get(url)
}
