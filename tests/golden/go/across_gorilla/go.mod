module example.com/mux
