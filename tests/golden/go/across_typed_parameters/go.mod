module ex.com/shop

go 1.22
