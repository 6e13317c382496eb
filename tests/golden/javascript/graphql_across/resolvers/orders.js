async function order(_, { id }, { db }) {
  return db.order(id);
}

export default {
  orders: (_, args, { db }) => db.orders(),
  order,
};
