<?php
trait Named
{
    public function label(): string
    {
        return 'x';
    }
}

class User
{
    use Named;

    public function show(): string
    {
        return $this->label();
    }
}

function run(User $user): string
{
    return $user->label();
}
