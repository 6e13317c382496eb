exports.ORDERS = process.env.ORDER_QUEUE_NAME || 'orders';
