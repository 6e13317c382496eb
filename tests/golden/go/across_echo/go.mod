module example.com/echo
