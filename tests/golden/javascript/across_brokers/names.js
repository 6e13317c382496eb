const PREFIX = 'orders.';

module.exports = {
  CREATED: `${PREFIX}created`,
  VOTES: process.env.VOTES || 'votes',
  TOPICS: { orders: 'orders-v1' },
};
