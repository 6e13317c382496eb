const { ApolloServer } = require("@apollo/server");
const { gql } = require("graphql-tag");

const typeDefs = gql`
  "What can be asked."
  type Query {
    users(first: Int = 10, filter: UserFilter = { active: true }): [User!]!
    user(id: ID!): User
    userCount: Int! @deprecated(reason: "ask users")
  }
  extend type Mutation {
    createUser(name: String!): User
  }
  type Subscription { userAdded: User }
  type User { id: ID! name: String }
  input UserFilter { active: Boolean }
`;

const findUser = (_, { id }) => store.get(id);

const resolvers = {
  Query: {
    users: async (_, { first }) => store.all(first),
    user: findUser,
    notInTheSchema: () => null,
  },
  Mutation: {
    createUser(_, { name }) {
      return store.add(name);
    },
  },
  Subscription: { userAdded: { subscribe: () => bus.iterator("USER_ADDED") } },
  User: { name: (user) => user.fullName },
};

const server = new ApolloServer({ typeDefs, resolvers });

async function report() {
  return server.executeOperation({ query: "mutation Report($n: String!) { createUser(name: $n) { id } }" });
}
