module example.org/fork/kit
