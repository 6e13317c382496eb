module example.com/app

require example.com/lib v1.2.0
