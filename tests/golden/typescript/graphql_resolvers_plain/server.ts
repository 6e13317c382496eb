import { ApolloServer } from '@apollo/server';

const typeDefs = `#graphql
  type Query { orders(user: ID!): [Order!]! }
  type Mutation { cancelOrder(id: ID!): Order }
  type Order { id: ID! }
`;

export const server = new ApolloServer({
  typeDefs,
  resolvers: {
    Query: { orders: (_: unknown, args: { user: string }): Order[] => find(args.user) },
    Mutation: {
      cancelOrder(_: unknown, { id }: { id: string }): Order | null {
        return cancel(id);
      },
    },
  },
});
