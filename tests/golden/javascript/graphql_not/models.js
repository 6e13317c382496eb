// A registry of tables, and of what a bus carries: no resolvers, since no schema has them.
module.exports = {
  Query: { table: "queries", columns: ["id"] },
  Mutation: { table: "mutations" },
  Subscription: { users: require("./subscription") },
};
