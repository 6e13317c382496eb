import { gql } from "@apollo/client";
// What a generator makes of queries.graphql is no second call.
export const ShopDocument = gql`
  query Shop($id: ID!) {
    first: order(id: $id) { id }
    products { id }
  }
`;
export function useCancel() {
  return useMutation(gql`mutation { cancelOrder(id: "1") }`);
}
