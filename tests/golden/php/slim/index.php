<?php

use Slim\Factory\AppFactory;

$app = AppFactory::create();
$app->get('/hello/{name}', function ($request, $response, $args) {
    return $response;
});
$app->map(['PUT', 'PATCH'], '/users/{id:[0-9]+}', UserAction::class . ':update');
$app->get('/news[/{year}[/{month}]]', NewsAction::class);
$app->group('/admin', function (RouteCollectorProxy $group) {
    $group->get('', AdminAction::class);
    $group->group('/users', function ($group) {
        $group->delete('/{id}', [AdminAction::class, 'remove']);
    });
})->add($auth);

// A container and a cache, no routes.
$logger = $app->get('logger', null);
$cache->get('/users', function () {});
$app->run();
