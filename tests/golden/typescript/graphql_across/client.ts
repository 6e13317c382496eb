import { GraphQLClient } from 'graphql-request';
import { endpoint } from './config';

const client = new GraphQLClient(endpoint);

const BOOKS = /* GraphQL */ `
  query Books { books { id } }
`;

export async function books() {
  return client.request(BOOKS);
}
