<?php
use Slim\Factory\AppFactory;
$app = AppFactory::create();
$app->group('/depot/v2/parcels', new \App\ParcelRoutes($service));
$app->run();
