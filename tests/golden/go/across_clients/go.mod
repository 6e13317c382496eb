module example.com/clients
