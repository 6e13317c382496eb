namespace App;

public partial class Service
{
    public void Start()
    {
        Prepare();
    }
}
