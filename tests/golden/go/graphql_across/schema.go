package main

import graphql "github.com/graph-gophers/graphql-go"

const schema = `type Query { user(id: ID!): User } type User { id: ID! }`
