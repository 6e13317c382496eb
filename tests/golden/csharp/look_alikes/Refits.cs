public interface IRefits {
	[GetOnly("/x")]
	string All();
	[Description("[Get(\"/y\")]")]
	string Other();
}
