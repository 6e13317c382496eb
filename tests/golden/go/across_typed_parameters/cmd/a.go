package cmd

import own "ex.com/shop/http"

func fetchUsers(client *own.Client) (res []string, err error) {
	req, err := client.NewRequest("GET", "users")
	if err != nil {
		return
	}
	_ = req
	return
}

var profile own.Profile

func run() {
	client := own.DefaultClient(&profile)
	fetchUsers(&client)
}
