<?php
use Illuminate\Support\Facades\Route;
Route::post('/parcels', [ParcelController::class, 'create']);
Route::get('/parcels/{id}', [ParcelController::class, 'one']);
Route::delete('/parcels/{id}', [ParcelController::class, 'remove']);
