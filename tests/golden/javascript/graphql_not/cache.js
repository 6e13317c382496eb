import { gql, InMemoryCache, useQuery } from "@apollo/client";

// What a client keeps for itself: policies of its cache, its own fields, resolvers for them.
export const cache = new InMemoryCache({
  typePolicies: {
    Query: { fields: { isLoggedIn: { read: () => false } } },
    Mutation: { merge: true },
  },
});
export const typeDefs = gql`
  extend type Query { isLoggedIn: Boolean! }
`;
export const resolvers = { Query: { isLoggedIn: () => false } };
const LOCAL = gql`query Local { isLoggedIn @client }`;

// Words that begin like GraphQL.
const help = "query the graphql endpoint { really }";
const sql = "type Query = select";
const format = "{ name }";
const json = `{ "users": { "id": 1 } }`;
const style = `
  { color: red; }
`;
useQuery({ queryKey: ["users"], queryFn: load });
