<?php
namespace Acme\Log;

class Channel
{
    public function open() {}
}
