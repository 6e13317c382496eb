require "graphql/client"

Users = Client.parse <<~'GRAPHQL'
  query($id: ID!) {
    user(id: $id) {
      id
    }
  }
GRAPHQL
