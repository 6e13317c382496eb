<?php
use App\Action;

return [
    'routes' => [
        [
            'name' => 'robots',
            'path' => '/robots.txt',
            'middleware' => Action\Robots::class,
            'allowed_methods' => ['GET'],
        ],
        [
            'name' => 'track',
            'path' => '/{code}/track',
            'middleware' => [Action\Log::class, Action\Track::class],
            'allowed_methods' => ['GET', 'POST'],
        ],
        ['name' => 'any', 'path' => '/any', 'middleware' => Action\Any::class],
    ],
];
