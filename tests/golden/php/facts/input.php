<?php
namespace App\Svc;
use App\Data\Repo;
use App\{Item, Util as U};
use function App\fn1;
require_once __DIR__ . '/a.php';
class Service extends Base implements IService, \App\Other {
  use Named;
  private ?Repo $repo;
  private Item $item;
  public function __construct(private Store $store, int $n) { $this->repo = new Repo($n); parent::__construct(); }
  public function run(Item $other): ?Item {
    $item = $this->repo->find(1);
    $item->save();
    $other?->save();
    $this->store->put($item);
    self::stat();
    static::stat();
    U::clean(self::MAX, Item::LIMIT);
    fn1($x);
    \App\helper();
    foreach ($this->all() as $k => $one) { $one->save(); }
    return new static();
  }
}
