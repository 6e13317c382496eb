<?php
use Acme\Kit\Shape;

function run(): int
{
    return (new Shape())->area();
}
