package shop {
	// Keeps things.
	public class Store {
		public static const MOST:int = 10;
		private var name:String;

		public function find(key:String):int {
			return key.length;
		}
	}
}
