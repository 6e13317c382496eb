<?php

use Slim\Factory\AppFactory;
use Slim\Routing\RouteCollectorProxy;

$app = AppFactory::create();
$app->setBasePath('/shop');
$app->get('/ping', function ($request, $response) {
    return $response;
});
$app->map(['GET', 'POST'], '/search[/{page:[0-9]+}]', SearchAction::class);
$app->group('/api', function (RouteCollectorProxy $group) {
    $group->get('/users/{id}', UserController::class . ':show');
    $group->group('/orders', function (RouteCollectorProxy $orders) {
        $orders->post('', CreateOrder::class);
        $orders->delete('/{id}', [OrderController::class, 'drop']);
    });
});
$app->any('/any', AnyAction::class);
$app->run();
