const { GraphQLID, GraphQLObjectType } = require("graphql");

exports.OrderType = new GraphQLObjectType({ name: "Order", fields: { id: { type: GraphQLID } } });
