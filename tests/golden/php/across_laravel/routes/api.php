<?php

use App\Http\Controllers\ArticleController;
use Illuminate\Support\Facades\Route;

Route::get('articles/feed', [ArticleController::class, 'feed']);
Route::group(['prefix' => 'tags'], function () {
    Route::get('/', 'TagController@index');
});
