<?php
namespace App\Action;

class EditParcel extends AbstractAction
{
    protected const string ROUTE_PATH = '/parcels/{id}';
    protected const array ROUTE_ALLOWED_METHODS = ['PUT', 'PATCH'];
}
