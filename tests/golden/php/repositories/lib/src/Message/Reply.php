<?php
namespace Acme\Kit\Message;

class Reply
{
    public function body(): string { return ''; }
}
