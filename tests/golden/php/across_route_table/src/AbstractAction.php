<?php
namespace App\Action;

abstract class AbstractAction
{
    protected const string ROUTE_PATH = '';
    protected const array ROUTE_ALLOWED_METHODS = [];

    public static function getRouteDef(array $before = []): array
    {
        return [
            'name' => static::class,
            'middleware' => [...$before, static::class],
            'path' => static::ROUTE_PATH,
            'allowed_methods' => static::ROUTE_ALLOWED_METHODS,
        ];
    }
}
