export const productQueries = Object.assign({}, {
  products: (_, args, { db }) => db.products(),
});
