package main

import "github.com/graph-gophers/graphql-go"

type queryResolver struct{ root *Root }

func (r *queryResolver) User(args struct{ ID graphql.ID }) *userResolver { return nil }
