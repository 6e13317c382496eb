import type { QueryResolvers } from './generated';

export const authorQueries: Pick<QueryResolvers, 'authors'> = {
  authors: async (_parent, _args, { db }) => db.authors(),
};
