package main

const orders = `query Orders { orders { id } }` // asked with a graphql client
