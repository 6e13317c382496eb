export async function placeOrder(_, { input }, { db }) {
  return db.place(input);
}

export const cancelOrder = (_, { id }, { db }) => db.cancel(id);

const helper = () => 1;
