require "graphql/client"

HTTP = GraphQL::Client::HTTP.new("http://users:3000/graphql")

OneUser = Client.parse <<~'GRAPHQL'
  query($id: ID!) {
    user(id: $id) { name }
  }
GRAPHQL
