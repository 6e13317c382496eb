module github.com/acme/inner
