<?php
namespace App\Data;

class Repo
{
    public function find(int $id): ?User
    {
        return null;
    }

    public static function open(): static
    {
        return new static();
    }
}
