module example.com/client
