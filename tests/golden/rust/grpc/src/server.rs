use tonic::{Request, Response, Status};

use crate::proto::cart_service_server::{CartService, CartServiceServer};
use crate::proto::{AddItemRequest, Cart, GetCartRequest};

#[derive(Default)]
pub struct Carts {}

#[tonic::async_trait]
impl CartService for Carts {
    async fn add_item(&self, request: Request<AddItemRequest>) -> Result<Response<Cart>, Status> {
        self.save(request);
        Ok(Response::new(Cart {}))
    }

    async fn get_cart(&self, _request: Request<GetCartRequest>) -> Result<Response<Cart>, Status> {
        Ok(Response::new(Cart {}))
    }
}

impl Carts {
    fn save(&self, request: Request<AddItemRequest>) {}
}
