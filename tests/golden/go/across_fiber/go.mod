module example.com/fiber

go 1.22
