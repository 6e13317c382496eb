# https://github.com/acme/code
