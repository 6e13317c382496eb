<?php
namespace App;

class Client
{
    public function send(string $text) {}
}
