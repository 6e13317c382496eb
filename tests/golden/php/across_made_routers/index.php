<?php
use Slim\Factory\AppFactory;
use Shop\CrudRoutes;
$app = AppFactory::create();
new CrudRoutes($app, '/users');
new CrudRoutes($app, '/orders');
$app->run();
