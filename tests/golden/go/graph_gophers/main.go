package main

import graphql "github.com/graph-gophers/graphql-go"

const schema = `
	schema { query: Query }
	type Query { hello: String! users: [User!]! }
	type Mutation { rename(name: String!): Boolean! }
	type User { name: String! }
`

type RootResolver struct{}

func (*RootResolver) Hello() string { return "hi" }

func (r *RootResolver) Users() []*UserResolver { return nil }

func (r *RootResolver) Rename(args struct{ Name string }) bool { return true }

type UserResolver struct{}

func (u *UserResolver) Name() string { return "" }

var parsed = graphql.MustParseSchema(schema, &RootResolver{})
