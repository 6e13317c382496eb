namespace App;

public partial class Service
{
    private void Prepare() { }
}
