<?php

return [
    'users' => [
        'url' => env('USERS_URL', 'http://users:8080'),
    ],
];
