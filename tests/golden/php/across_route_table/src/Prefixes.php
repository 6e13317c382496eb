<?php
namespace App;

class Prefixes
{
    private const string PREFIX = '/rest/v{version:1|2|3}';

    public static function apply(array $routes): array
    {
        return array_map(static function (array $route) {
            ['path' => $path] = $route;
            $route['path'] = sprintf('%s%s', self::PREFIX, $path);
            return $route;
        }, $routes);
    }
}
