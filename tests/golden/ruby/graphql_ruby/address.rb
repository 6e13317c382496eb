HTTP = GraphQL::Client::HTTP.new("http://users:3000/graphql")
