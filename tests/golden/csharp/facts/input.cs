using System;
using static App.Maths;
using R = App.Data.Repo;
namespace App.Svc;
public class Service : Base<int>, IService {
  private readonly IRepo _repo;
  private List<Item> items = new();
  public string Name { get; set; }
  public Service(IRepo repo) : base(repo) { _repo = repo; this.Name = repo.Name; }
  public async Task<Item> Run(int id, Item other) {
    var item = await _repo.Find(id);
    item.Save();
    other?.Save();
    foreach (var i in items) i.Save();
    Item made = new();
    var m2 = new Item(1, 2);
    m2.Save();
    base.Run(id);
    this.Helper();
    Helper();
    Util.Stat(nameof(Run));
    if (made is Special s) s.Go();
    return made;
  }
}
