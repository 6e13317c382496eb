package resolver

// A resolver of names, and a query of a table: no schema has their methods.
type queryResolver struct{}

func (r *queryResolver) Users() []string { return nil }

type Config struct {
	Name   string
	Fields map[string]int
}

var query = Config{Name: "Query", Fields: map[string]int{"users": 1}}

const help = "query { graphql? }"
