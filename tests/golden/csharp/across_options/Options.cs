namespace Shop.Configuration;

public class ServiceOptions {
	public string Orders { get; set; }
	public string Carts { get; set; }
}

public class PaySettings {
	public const string SectionName = "Payments";
	public string BaseUrl { get; set; }
}
