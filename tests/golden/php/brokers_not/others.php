<?php

use PhpAmqpLib\Connection\AMQPStreamConnection;
use RdKafka\Conf;

/* What publishes and subscribes beside the brokers' own. */
function others($page, $feed, $box, \Redis $redis, $channel)
{
    $page->publish('orders', 'x');
    $feed->subscribe('orders');
    $feed->subscribe(fn ($x) => $x);
    $box->rPush('orders', 'x');
    $redis->get('orders');
    $channel->queue_declare('orders', false, true);
    $channel->exchange_declare('events', 'topic');
    // $redis->publish('orders', 'x');
}
