<?php

namespace App;

class Users extends Api
{
    public function find(int $id)
    {
        return $this->send('GET', "/users/{$id}");
    }

    public function remove(int $id)
    {
        return $this->send('DELETE', '/users/' . $id);
    }
}
