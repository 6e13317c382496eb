<?php

Route::get('/home', 'HomeController@index');
