module example.com/alike

go 1.22
