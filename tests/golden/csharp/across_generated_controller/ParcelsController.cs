namespace Depot;
public class ParcelsController : Generated.ParcelsControllerBase
{
    public override Task<Parcel> CreateParcel(Parcel body) => svc.Create(body);
    public override Task<Parcel> GetParcel(int id) => svc.One(id);
    public override Task DeleteParcel(int id) => svc.Remove(id);
}
