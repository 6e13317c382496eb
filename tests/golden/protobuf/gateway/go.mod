module example.com/gateway
