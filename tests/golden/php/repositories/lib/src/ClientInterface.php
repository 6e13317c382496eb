<?php
namespace Acme\Kit;

interface ClientInterface
{
    public function send(string $text);
}
