<?php
namespace Acme\Kit;

class Shape
{
    public function area(): int
    {
        return 1;
    }
}
