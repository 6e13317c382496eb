<?php
use Cake\Routing\RouteBuilder;

$routes->plugin('App/Boxes', ['path' => '/boxes'], function (RouteBuilder $routes): void {
    $routes->connect('/{id}', ['controller' => 'Boxes', 'action' => 'drop'])
        ->setPass(['id'])->setMethods(['DELETE']);
});
