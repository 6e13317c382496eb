<?php

namespace App;

class Caller
{
    public function run(Clients $clients)
    {
        return $clients->sent('/users/ready');
    }
}
