<?php
use App\Paths;
use Cake\Routing\RouteBuilder;

return static function (RouteBuilder $routes) {
    $routes->scope(Paths::DEPOTS, function (RouteBuilder $builder) {
        $builder->connect('/{id}', 'Depots::view')->setMethods(['GET']);
    });
};
