<?php
class Counter
{
    const LIMIT = 3;
    private int $count = 0;
    private static int $all = 0;

    public function add(int $n): int
    {
        $this->bump($n);
        self::check();
        static::check();
        return $this->count + self::LIMIT + self::$all;
    }

    private function bump(int $n): void {}

    public static function check(): void {}
}

function run(): int
{
    $c = new Counter();
    Counter::check();
    return $c->add(Counter::LIMIT);
}
