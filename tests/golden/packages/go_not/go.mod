// module commented
// require github.com/acme/common v1.0.0
go 1.20
toolchain go1.21.0
