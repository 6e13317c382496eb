module example.org/app

go 1.22

require example.org/kit/v2 v2.1.0
