<?php
class Item
{
    public function save(): void {}
}

function each_item(array $items, Item $extra): array
{
    $save = function (Item $item) use ($extra) {
        $item->save();
        $extra->save();
    };
    return array_map(fn(Item $i) => $i->save(), $items);
}
