const { GraphQLList, GraphQLObjectType } = require("graphql");
const { OrderType } = require("./order");

exports.Query = new GraphQLObjectType({
  name: "Query",
  fields: { orders: { type: new GraphQLList(OrderType), resolve: () => [] } },
});
