package client

const ordersURL = "http://orders"
