<?php

namespace Shop;

final class Names
{
    public const EXCHANGE = 'events';
    public const CREATED = 'orders.created';
    public const VOTES = 'votes';
}
