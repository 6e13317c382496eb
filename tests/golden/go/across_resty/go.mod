module example.com/resty

go 1.22
