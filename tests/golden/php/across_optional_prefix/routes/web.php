<?php

use Illuminate\Support\Facades\Route;

$prefix = '';
if ($base = config('app.base')) {
    $prefix = $base . '/';
}

Route::get($prefix . 'users', [UserController::class, 'index']);
