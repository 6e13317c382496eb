import { gql } from 'graphql-request';

/* the project has two addresses */
export const ORDERS = gql`query Orders { orders { id } }`;
