package rest

func NewConfiguration() *Configuration {
	return &Configuration{Servers: ServerConfigurations{{URL: "https://pets/v3"}}}
}
