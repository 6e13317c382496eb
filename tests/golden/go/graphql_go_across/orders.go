package schema

import "github.com/graphql-go/graphql"

func listOrders(p graphql.ResolveParams) (interface{}, error) { return nil, nil }

func cancelOrder(p graphql.ResolveParams) (interface{}, error) { return nil, nil }

var orderType = graphql.NewObject(graphql.ObjectConfig{Name: "Order", Fields: graphql.Fields{"id": &graphql.Field{Type: graphql.ID}}})
