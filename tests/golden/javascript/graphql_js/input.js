const { GraphQLObjectType, GraphQLSchema, GraphQLString } = require("graphql");

const UserType = new GraphQLObjectType({ name: "User", fields: { name: { type: GraphQLString } } });

const RootQuery = new GraphQLObjectType({
  name: "RootQueryType",
  fields: () => ({
    user: { type: UserType, resolve: (_, args) => find(args.id) },
    users: { type: UserType, resolve: list },
  }),
});

const mutation = new GraphQLObjectType({
  name: "Mutation",
  fields: { addUser: { type: UserType, resolve: add } },
});

module.exports = new GraphQLSchema({ query: RootQuery, mutation });
