<?php
declare(strict_types=1);

namespace Shop\Users;

use Shop\Base;

const LIMIT = 3;
define('OLD_LIMIT', 2);

/**
 * A user of the shop.
 *
 * Has a name.
 */
#[Entity(table: 'users')]
abstract class User extends Base implements \JsonSerializable
{
    use Named, Dated;

    public const MAX = 3, MIN = 1;
    private const SECRET = 's';

    public ?string $email = null;
    protected array $tags, $notes = [];
    private static int $count = 0;

    public function __construct(
        private readonly Repo $repo,
        public string $name = 'x',
        int $age = 1,
    ) {
        $this->tags = [];
    }

    /** Finds one. */
    public static function find(int $id): static
    {
        $twice = fn($x) => $x * 2;
        return new static($id);
    }

    abstract protected function check(int|string $value): ?bool;

    function implicit() {}

    private function secret() {}
}

final class Admin extends User {}

interface Storable extends \Countable
{
    const TABLE = 't';
    public function save(): bool;
}

trait Named
{
    public string $label;
    public function label(): string { return $this->label; }
}

enum Color: string
{
    case Red = 'r';
    case Green = 'g';
    const DEFAULT = self::Red;
    public function hex(): string { return '#'; }
}

/** Loads them. */
function load(string $path, ?callable $each = null): array
{
    function inner() {}
    return array_map(function ($x) { return $x; }, []);
}

class UserTest extends TestCase
{
    protected function setUp(): void {}
    public function testSaves(): void {}
}

class Checks extends TestCase
{
    #[Test]
    public function it_works(): void {}
}
