<?php
namespace App;

use App\Data\Repo;
use App\Data\{User, Repo as R};

class Page
{
    public function __construct(private Repo $repo) {}

    public function show(int $id): string
    {
        $user = $this->repo->find($id);
        $user->save();
        R::open()->find(1);
        $made = new User();
        return $made->name;
    }
}
