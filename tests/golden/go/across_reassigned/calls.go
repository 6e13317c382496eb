package shop

func calls(id string) {
	fallback("orders")
	prefixed("/health")
	prefixed("orders/" + id)
	request("DELETE", "orders/"+id)
}
