<?php
namespace App\Controller;

use Symfony\Component\Routing\Attribute\Route;

class Crud extends Base
{
    public function __construct(protected Store $store) {}

    #[Route('', methods: ['GET'])]
    public function all() { return $this->store->all(); }

    #[Route('/{id}', methods: ['PATCH'])]
    public function change(int $id) { return $this->store->change($id); }
}
