<?php

use Illuminate\Support\Facades\Route;

Route::controller(OrderController::class)->prefix('orders')->group(function () {
    Route::get('/{order}', 'show');
    Route::post('/', 'store');
});
