import type { Resolvers } from './generated';
import { authorQueries } from './authors';

export const resolvers = {
  Query: { ...authorQueries },
} satisfies Resolvers;
