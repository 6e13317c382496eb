module example.com/chi
