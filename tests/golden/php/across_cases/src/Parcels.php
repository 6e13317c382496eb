<?php
namespace Parcel;

class Parcels extends Transport
{
    public function all() { return $this->send('GET', 'api/parcels'); }
    public function create() { return $this->send('POST', 'api/parcels'); }
    public function replace() { return $this->send('PUT', 'api/parcels/1'); }
    public function peek() { return $this->send('HEAD', 'api/parcels/1'); }
    public function any($verb) { return $this->send($verb, 'api/parcels/any'); }
    public function listed() { return $this->older('LIST', 'api/parcels/listed'); }
    public function kept() { return $this->older('KEEP', 'api/parcels/kept'); }
}
