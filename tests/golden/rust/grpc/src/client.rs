use crate::proto::cart_service_client::CartServiceClient;
use crate::proto::{AddItemRequest, GetCartRequest};
use tonic::transport::Channel;

pub struct Front {
    carts: CartServiceClient<Channel>,
}

impl Front {
    pub async fn new() -> Result<Self, tonic::transport::Error> {
        Ok(Front { carts: CartServiceClient::connect("http://carts:50051").await? })
    }

    pub async fn add(&mut self) {
        self.carts.add_item(AddItemRequest {}).await.unwrap();
    }

    pub async fn show(&self) {
        self.carts.clone().get_cart(GetCartRequest {}).await.unwrap();
    }
}

pub async fn clear(channel: Channel) -> Result<(), tonic::Status> {
    let mut client = CartServiceClient::new(channel);
    client.empty_cart(tonic::Request::new(GetCartRequest {})).await?;
    Ok(())
}
