public class Item
{
    public void Save() { }
}

public class Order
{
    public Item Item { get; set; }
    public Item First => Item;

    public void Run(Order other)
    {
        Item.Save();
        other.Item.Save();
        other?.First.Save();
    }
}
