<?php
class Item
{
    public function save(): void {}
}

class Order
{
    public ?Item $item = null;

    public function first(): Item
    {
        return new Item();
    }

    public function run(?Order $other, Item ...$rest): void
    {
        $this->item->save();
        $this->item?->save();
        $other->first()->save();
        $this->first()->save();
        foreach ($rest as $one) {
            $one->save();
        }
    }
}
