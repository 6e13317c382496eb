from client import fallback, prefixed


def calls(order_id):
    prefixed("api/health")
    prefixed(f"orders/{order_id}")
    fallback("orders")
