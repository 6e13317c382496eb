<?php
$app = new \Slim\App;
$app->group('/users', function () { $this->post('/x', H::class); $this->get('/y', 'H:y')->setName('z'); $this->get('', function ($a) { }); });
$app->group('/users2', function () { $this->map(['GET'], '/w', 'H:y')->setName('z'); });
$app->group('/nested', function () { $this->get('/x', H::class); $this->group('/{id}', function () { $this->map(['GET','PUT'], '/profile', H::class); }); });
$app->group('/cars', function ($g) { $g->get('/y', H::class); });
