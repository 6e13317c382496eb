<?php

use App\Http\Controllers\PhotoController;
use App\Http\Controllers\UserController;
use Illuminate\Support\Facades\Route;

Route::get('/', function () {
    return view('welcome');
});
Route::get('users/{id?}', [UserController::class, 'show'])->name('users.show')->where('id', '[0-9]+');
Route::post('/users', 'UserController@store');
Route::match(['put', 'patch'], '/users/{user}', [UserController::class, 'update']);
Route::any('/any', AnyController::class);
Route::view('/about', 'about');
Route::redirect('/here', '/there');

Route::prefix('admin')->middleware(['auth', 'can:admin'])->group(function () {
    Route::delete('/users/{user}', [UserController::class, 'destroy']);
    Route::group(['prefix' => 'stats', 'middleware' => 'cache'], function () {
        Route::get('/daily', [StatsController::class, 'daily']);
    });
});
Route::middleware('auth:sanctum')->get('/me', fn (Request $request) => $request->user());
Route::middleware('throttle')->prefix('v2')->post('orders', [OrderController::class, 'store']);

Route::resource('photos', PhotoController::class);
Route::apiResource('albums', AlbumController::class)->only(['index', 'show']);
Route::apiResource('albums.comments', CommentController::class)->except('destroy', 'update');
Route::apiResources(['tags' => TagController::class]);

// None of these is a route of this program.
$name = Route::current()->getName();
Cache::get('/users', fn () => 1);
Route::has('users.show');
