<?php

namespace App\Queries;

// GraphQL\Queries; is another namespace.
final class Users
{
    public function __invoke(): array
    {
        return [];
    }
}
