<?php

namespace App\GraphQL\Queries;

final class StockLevel
{
    public function __invoke($root, array $args): int
    {
        return 0;
    }
}
