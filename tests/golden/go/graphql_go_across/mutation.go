package schema

import "github.com/graphql-go/graphql"

var mutationType = graphql.NewObject(graphql.ObjectConfig{
	Name: "Mutation",
	Fields: graphql.Fields{
		"cancelOrder": &graphql.Field{Type: orderType, Resolve: cancelOrder},
	},
})
