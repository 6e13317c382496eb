import { GraphQLClient, gql } from 'graphql-request';

const client = new GraphQLClient('http://users:4000/graphql');

export function users() {
  return client.request(gql`query Users { users { id } }`);
}
