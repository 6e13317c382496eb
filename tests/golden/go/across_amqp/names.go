package shop

const Orders = "orders"
