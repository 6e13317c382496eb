module example.com/app

require example.com/lib v1.0.0
