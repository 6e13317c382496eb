namespace App.Data;

public class Repo
{
    public User Find(int id) => null;
    public static Repo Open() => new Repo();
}

public class User
{
    public string Name { get; set; }
    public void Save() { }
}
