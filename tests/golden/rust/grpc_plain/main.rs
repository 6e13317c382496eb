use greet::greeter_client::GreeterClient;
use greet::greeter_server::{Greeter, GreeterServer};
use tonic::{Request, Response, Status};

pub mod greet {
    tonic::include_proto!("greet");
}

pub struct Hello;

#[tonic::async_trait]
impl Greeter for Hello {
    async fn say_hello(&self, request: Request<greet::Name>) -> Result<Response<greet::Text>, Status> {
        Ok(Response::new(greet::Text {}))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut client = GreeterClient::connect("http://localhost:50051").await?;
    let text = client.say_hello(Request::new(greet::Name {})).await?;
    Ok(())
}
