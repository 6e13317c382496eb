<?php

use Slim\Factory\AppFactory;

$app = AppFactory::create();
$app->setBasePath('/shop');
$routes = require __DIR__ . '/app/routes.php';
$routes($app);
$app->run();
