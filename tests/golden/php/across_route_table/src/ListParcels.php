<?php
namespace App\Action;

class ListParcels extends AbstractAction
{
    protected const string ROUTE_PATH = '/parcels';
    protected const array ROUTE_ALLOWED_METHODS = ['GET'];
}
