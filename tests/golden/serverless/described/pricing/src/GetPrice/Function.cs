namespace GetPrice;

public class Function
{
    public APIGatewayProxyResponse FunctionHandler(APIGatewayProxyRequest request) => null;
}
