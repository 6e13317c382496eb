const { GraphQLObjectType, GraphQLSchema } = require("graphql");
const { OrderType } = require("./order");
const { Query } = require("./query");

const Mutation = new GraphQLObjectType({
  name: "Mutation",
  fields: () => ({ cancelOrder: { type: OrderType, resolve: (_, { id }) => cancel(id) } }),
});

module.exports = new GraphQLSchema({ query: Query, mutation: Mutation });
