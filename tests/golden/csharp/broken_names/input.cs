// A file in the middle of an edit: what cannot be parsed hides no name.
namespace Tide
{
	internal class Harbour : IHarbour
	{
		private int berths;

		public static Task<Ship> ArriveAsync(Ship ship, int berth)
		{
			var place = berths[
			if (ship.Length > {

		public void Leave(Ship ship) => berths--;

		private async Task<(int, string)> CountAsync<TShip>(TShip ship)
		{
			return ship.Match(x => { foreach (var
		}

	interface IPilot
	{
