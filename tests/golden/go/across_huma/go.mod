module example.com/boats

go 1.22
