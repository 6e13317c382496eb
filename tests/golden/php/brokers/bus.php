<?php

use PhpAmqpLib\Connection\AMQPStreamConnection;

final class Bus
{
    private const CREATED = 'orders.created';

    public function run($channel, \Redis $redis, $message)
    {
        $channel->queue_bind('mine', 'events', self::CREATED);
        $channel->basic_consume('mine', '', false, true);
        $channel->basic_publish($message, 'events', 'orders.created');
        $redis->publish('notifications', 'x');
        $redis->rPush('votes', 'x');
        $redis->get('votes');
    }
}
