<?php
use Symfony\Component\Routing\Loader\Configurator\RoutingConfigurator;
return function (RoutingConfigurator $routes) {
  $routes->import('../src/Controller/', 'attribute')->prefix('/depot/v2');
};
