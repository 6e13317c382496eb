import { productQueries } from "./products";
import * as mutations from "./mutations";
import orderQueries from "./orders";

export const resolvers = {
  RootQuery: { ...orderQueries, ...productQueries },
  RootMutation: mutations,
};
