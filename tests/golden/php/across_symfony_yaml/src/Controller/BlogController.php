<?php

namespace App\Controller;

class BlogController
{
    public function list(int $page)
    {
    }

    public function show(string $slug)
    {
    }
}
