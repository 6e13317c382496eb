import { GraphQLClient, gql } from 'graphql-request';

const client = new GraphQLClient('http://stock:5000/graphql');

export function stock() {
  return client.request(gql`query Stock { stock { id } }`);
}
