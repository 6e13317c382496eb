VOTES = "votes"
CREATED = "orders.created"
