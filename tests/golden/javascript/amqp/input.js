const rhea = require('rhea');

const connection = rhea.create_container().connect({ host: 'amqp' });
const sender = connection.open_sender('orders');
connection.open_receiver({ source: { address: 'orders' } });
sender.send({ body: 'x' });
const { ServiceBusClient } = require('@azure/service-bus');
const client = new ServiceBusClient('shop');
client.createSender('mails');
client.createReceiver('mails').receiveMessages(1);
