<?php
namespace App\Controller;

use Symfony\Component\Routing\Attribute\Route;

trait Exports
{
    #[Route('/export.csv', methods: ['GET'])]
    public function export() { return $this->store->csv(); }
}
