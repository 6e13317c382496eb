<?php

use PhpAmqpLib\Connection\AMQPStreamConnection;
use PhpAmqpLib\Message\AMQPMessage;

$connection = new AMQPStreamConnection('rabbitmq', 5672, 'guest', 'guest');
$channel = $connection->channel();
$channel->queue_bind('billing', 'events', 'orders.created');
$channel->queue_bind('all', 'broadcast');
$channel->basic_consume('billing', '', false, true, false, false, $handle);
$channel->basic_publish(new AMQPMessage('x'), 'events', 'orders.created');
$channel->basic_publish(new AMQPMessage('x'), '', 'billing');
$channel->basic_publish(new AMQPMessage('x'), 'broadcast');

$redis = new Redis();
$redis->publish('notifications', 'x');
$redis->rPush('votes', 'x');
$redis->blPop('votes', 0);
$redis->subscribe(['notifications'], $handle);

$consumer = new RdKafka\KafkaConsumer($conf);
$consumer->subscribe(['payments', '^audit-.*']);
$producer = new RdKafka\Producer($conf);
$topic = $producer->newTopic('payments');
