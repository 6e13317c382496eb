using Microsoft.AspNetCore.Mvc;

namespace Shop;

[Route("billing/invoices")]
public class InvoicesController : CrudController<Invoice>
{
    public InvoicesController(IStore<Invoice> store) : base(store) { }
}
