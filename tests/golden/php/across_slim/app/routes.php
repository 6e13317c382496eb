<?php

declare(strict_types=1);

use App\Actions\ListUsers;
use Slim\App;
use Slim\Interfaces\RouteCollectorProxyInterface as Group;

return function (App $app) {
    $app->group('/users', function (Group $group) {
        $group->get('', ListUsers::class);
        $group->get('/{id}', ViewUser::class);
    });
};
