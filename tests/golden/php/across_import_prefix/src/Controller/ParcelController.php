<?php
namespace App\Controller;
use Symfony\Component\Routing\Attribute\Route;
#[Route('/parcels')]
class ParcelController {
  #[Route('', methods: ['POST'])]
  public function create() {}

  #[Route('/{id}', methods: ['GET'])]
  public function one(int $id) {}

  #[Route('/{id}', methods: ['DELETE'])]
  public function remove(int $id) {}
}
