// What tables hold, and what a bus carries: no schema has them.
export const registry = {
  Query: { table: 'queries', columns: ['id'] },
  Mutation: { run: (id: string): void => rename(id) },
};
