const axios = require('axios')

// the template of the chart gives it what its values say
function user(id) {
	return axios.get(process.env.USERS_URL + '/users/' + id)
}

// the values are the environment
function cart(id) {
	return axios.get(`http://${process.env.CART_ADDR}/carts/${id}`)
}

// a literal of Kustomize
function ads() {
	return axios.get(process.env.ADS_URL + '/ads')
}

// two values in one: nothing is known of it
function stock() {
	return axios.get(process.env.STOCK_URL + '/stock')
}
