<?php

use App\Http\Controllers\ArticleController;
use App\Http\Controllers\PhotoController;
use App\Http\Controllers\ProfileController;
use Illuminate\Support\Facades\Route;

Route::get('/', fn () => view('welcome'));
Route::get('/articles/{article:slug}', [ArticleController::class, 'show'])->name('articles.show');
Route::match(['put', 'patch'], '/articles/{article}', [ArticleController::class, 'update']);
Route::any('/hook', 'HookController@handle');
Route::redirect('/here', '/there');
Route::view('/about', 'about');

Route::apiResource('comments', CommentController::class)->only(['index', 'store']);
Route::apiResource('articles.tags', ArticleTagController::class)->except('destroy');
Route::resource('photos', PhotoController::class)->except(['create', 'edit']);
Route::resources(['posts' => PostController::class]);
Route::apiResources(['likes' => LikeController::class]);

Route::prefix('v1')->middleware('auth')->group(function () {
    Route::controller(OrderController::class)->group(function () {
        Route::get('/orders/{id}', 'show');
        Route::post('/orders', 'store');
    });
    Route::group(['prefix' => 'admin'], function () {
        Route::delete('/users/{user?}', [AdminController::class, 'destroy']);
        Route::get('/home', DashboardController::class);
    });
});
