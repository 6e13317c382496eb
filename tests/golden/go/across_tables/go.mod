module example.com/rooms

go 1.22
