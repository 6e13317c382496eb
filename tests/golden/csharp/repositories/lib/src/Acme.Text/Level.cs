namespace Acme.Text;

public enum Level { Low, High }
