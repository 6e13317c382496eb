<?php
namespace App\Tests;

use App\User;
use PHPUnit\Framework\TestCase;

class UserTest extends TestCase
{
    public function testValid(): void
    {
        $user = new User();
        $this->assertTrue($user->valid());
    }
}
