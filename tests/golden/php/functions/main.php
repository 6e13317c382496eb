<?php
namespace App;

use function Lib\twice;
use const Lib\MAX;

function helper(): int
{
    return twice(MAX);
}

function run(): int
{
    return helper() + \Lib\twice(1);
}
