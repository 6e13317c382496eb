<?php
namespace Shop;

abstract class Base
{
    public static function make(): static { return new static(); }
    public function with(int $n): static { return $this; }
    public static function create(): self { return new self(); }
    public function shared(): void {}
}

final class Square extends Base
{
    public function grow(): void {}
}

class UseThem
{
    public function made(): void { Square::make()->grow(); }
    public function chained(Square $s): void { $s->with(1)->with(2)->grow(); }
    public function declared(): void { Square::create()->shared(); }
}
