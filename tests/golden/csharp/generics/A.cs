using System.Collections.Generic;
using System.Threading.Tasks;

public class User
{
    public void Save() { }
}

public class Repo<T>
{
    public Task<User> Load() => null;
    public void Clear() { }
}

public class Run
{
    private readonly Repo<User> _repo = new Repo<User>();
    private List<User> _users;

    public async Task All()
    {
        _repo.Clear();
        var user = await _repo.Load();
        user.Save();
        foreach (var u in _users)
            u.Save();
    }
}
