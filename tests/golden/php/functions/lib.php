<?php
namespace Lib;

const MAX = 3;

function twice(int $x): int
{
    return $x * 2;
}
