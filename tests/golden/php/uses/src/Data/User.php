<?php
namespace App\Data;

class User
{
    public string $name;

    public function save(): void {}
}
