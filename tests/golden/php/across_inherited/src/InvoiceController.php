<?php
namespace App\Controller;

use Symfony\Component\Routing\Attribute\Route;

#[Route('/billing/invoices')]
class InvoiceController extends Crud
{
    use Exports;

    #[Route('/{id}/pay', methods: ['POST'])]
    public function pay(int $id) { return $this->store->pay($id); }
}
