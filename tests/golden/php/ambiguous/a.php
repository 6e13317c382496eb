<?php
class A
{
    public function go(): void {}
}

class B
{
    public function go(): void {}
}

function unknown($x): void
{
    $x->go();
}

function known(): void
{
    $a = new A();
    $a->go();
}
