<?php

namespace App;

final class Hosts
{
    public const STOCK = 'http://stock:9000';
}
