import { gql, request } from 'graphql-request';

const ONE_USER = gql`
  query OneUser($id: ID!) {
    user(id: $id) { name }
  }
`;

export function load(id: string): Promise<Reply> {
  return request<Reply>('http://users/graphql', ONE_USER, { id });
}
