import { gql } from 'graphql-request';

export const TICKETS = gql`query Tickets { tickets { id } }`;
