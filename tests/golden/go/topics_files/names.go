package shop

const (
	OrdersQueue = "orders"
	UsersTopic  = "users"
)
