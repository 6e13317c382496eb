<?php
namespace App;

class User
{
    public function valid(): bool
    {
        return true;
    }
}
