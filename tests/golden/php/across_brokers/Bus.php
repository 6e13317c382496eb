<?php

namespace Shop;

use PhpAmqpLib\Channel\AMQPChannel;

final class Bus
{
    public function run(AMQPChannel $channel, \Redis $redis, \RdKafka\Producer $producer, $message)
    {
        $channel->queue_bind('billing', Names::EXCHANGE, Names::CREATED);
        $channel->basic_publish($message, Names::EXCHANGE, Names::CREATED);
        $redis->rPush(Names::VOTES, 'x');
        $redis->blPop(Names::VOTES, 0);
        $producer->newTopic(Names::CREATED);
    }
}
