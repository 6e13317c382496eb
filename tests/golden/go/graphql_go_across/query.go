package schema

import "github.com/graphql-go/graphql"

var queryType = graphql.NewObject(graphql.ObjectConfig{
	Name: "Query",
	Fields: graphql.Fields{
		"orders": &graphql.Field{Type: orderType, Resolve: listOrders},
	},
})
