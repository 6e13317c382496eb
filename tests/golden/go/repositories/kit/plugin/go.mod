module example.org/kit/plugin

go 1.22
