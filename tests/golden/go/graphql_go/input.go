package main

import "github.com/graphql-go/graphql"

var queryType = graphql.NewObject(graphql.ObjectConfig{
	Name: "Query",
	Fields: graphql.Fields{
		"user": &graphql.Field{Type: userType, Resolve: findUser},
		"users": &graphql.Field{
			Type:    graphql.NewList(userType),
			Resolve: func(p graphql.ResolveParams) (interface{}, error) { return nil, nil },
		},
	},
})

var userType = graphql.NewObject(graphql.ObjectConfig{
	Name:   "User",
	Fields: graphql.Fields{"name": &graphql.Field{Type: graphql.String}},
})
