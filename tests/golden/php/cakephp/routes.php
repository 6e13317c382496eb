<?php
use Cake\Routing\RouteBuilder;

/** @var RouteBuilder $routes */
$routes->scope('/parcels', function (RouteBuilder $routes) {
    $routes->setExtensions(['json']);
    $routes->connect('/', ['controller' => 'Parcels', 'action' => 'index'])->setMethods(['GET']);
    $routes->connect('/{id}', ['controller' => 'Parcels', 'action' => 'edit'])
        ->setPass(['id'])
        ->setMethods(['PUT', 'POST']);
    $routes->connect('/old', ['controller' => 'Parcels', 'action' => 'old', '_method' => 'DELETE']);
    $routes->get('/latest', ['controller' => 'Parcels', 'action' => 'latest']);
});
$routes->prefix('admin', function ($routes) {
    $routes->connect('/any', ['controller' => 'Any', 'action' => 'any']);
});
