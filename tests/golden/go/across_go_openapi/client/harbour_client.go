package client

const (
	DefaultHost     string = "localhost"
	DefaultBasePath string = "/harbour"
)
