<?php
use Slim\Factory\AppFactory;
$app = AppFactory::create();
foreach (['carts' => CartController::class, 'users' => UserController::class] as $name => $controller) {
	$app->get("/shop/$name", [$controller, 'list']);
}
