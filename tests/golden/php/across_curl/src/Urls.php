<?php

namespace App;

class Urls
{
    public const USERS = 'http://users:8080';

    public static function stock(string $sku): string
    {
        return 'http://stock/levels/' . $sku;
    }
}
