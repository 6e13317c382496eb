<?php

use Illuminate\Support\Facades\Route;
use Slim\Psr7\Response;
use Symfony\Component\Routing\Annotation\Route as Named;

// Route::get('/users', [UserController::class, 'index']); $app->get('/users', UserAction::class);
class Menu
{
    /** Speaks of @Routes("/users") and of $app->get('/x'). */
    public function links($app, $map)
    {
        $url = route('users.show', 1);
        Route::has('users.show');
        Route::currentRouteName();
        Route::is('/users');
        Route::input('/users');
        $settings = $app->get('settings');
        $logger = $this->container->get('/logger');
        $map->put('/users', UserAction::class);
        Redirect::to('/users');
        URL::to('/orders', [Menu::class, 'links']);
        Storage::get('/users');
        Cache::put('/users', 1);
        return "Route::post('/orders', 'x')";
    }

    #[Groups("/users")]
    public function users()
    {
    }
}
