module example.com/restful

go 1.22
