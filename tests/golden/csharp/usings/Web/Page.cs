using App.Data;
using R = App.Data.Repo;

namespace App.Web;

public class Page
{
    private readonly Repo _repo;

    public Page(Repo repo)
    {
        _repo = repo;
    }

    public string Show(int id)
    {
        var user = _repo.Find(id);
        user.Save();
        R.Open();
        return user.Name;
    }
}
