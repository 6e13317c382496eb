<?php
class Mine
{
    public function format(): string { return ''; }
}

function run(\DateTime $date): string
{
    strlen('x');
    return $date->format('c') . count([1]);
}
