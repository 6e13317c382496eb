<?php
namespace Depot;

trait Parcels
{
    public function parcels()
    {
        return $this->send('GET', 'api/parcels');
    }

    public function drop($id)
    {
        return $this->send('DELETE', 'api/parcels/' . $id);
    }
}
