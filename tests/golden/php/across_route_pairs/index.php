<?php
use Slim\Factory\AppFactory;
$app = AppFactory::create();
$app->group('/depot/v2/parcels', [\App\ParcelController::class, 'routes']);
$app->run();
