<?php
namespace Acme\Log;

class Logger
{
    public function info($message) {}
    /** @return Channel */
    public function channel() { return $this->make(); }
}
