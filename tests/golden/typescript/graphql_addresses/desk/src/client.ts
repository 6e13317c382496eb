import { GraphQLClient } from 'graphql-request';

export const client = new GraphQLClient('http://desk:6000/graphql');
