<?php
// GENERATED CODE -- DO NOT EDIT!

namespace Greet;

class GreeterClient extends \Grpc\BaseStub
{
    public function __construct($hostname, $opts, $channel = null)
    {
        parent::__construct($hostname, $opts, $channel);
    }

    public function SayHello(\Greet\Name $argument, $metadata = [], $options = [])
    {
        return $this->_simpleRequest('/greet.Greeter/SayHello', $argument, ['\Greet\Text', 'decode'], $metadata, $options);
    }
}
