namespace Shop;

// Keeps things.
class Store
{
    const MOST = 10;

    protected name;

    public function find(string key) -> int
    {
        return 1;
    }
}

interface Priced
{
    public function price();
}
