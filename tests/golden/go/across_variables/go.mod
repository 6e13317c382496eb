module example.com/vars
