// Type parameters.
public interface IGauge<in TBuoy> where TBuoy : IBuoy
{
	void Read<TUnit>(TBuoy buoy, TUnit unit);
}
