<?php
enum Color: string
{
    case Red = 'r';
    case Green = 'g';

    public static function first(): self
    {
        return self::Red;
    }

    public function hex(): string
    {
        return '#';
    }
}

function run(): string
{
    $c = Color::Green;
    return Color::first()->hex();
}
