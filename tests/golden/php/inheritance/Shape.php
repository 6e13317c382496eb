<?php
namespace Shapes;

interface Shape
{
    public function area(): float;
}

abstract class Base implements Shape
{
    public function __construct(int $x) {}

    public function twice(): float
    {
        return $this->area() * 2;
    }
}
