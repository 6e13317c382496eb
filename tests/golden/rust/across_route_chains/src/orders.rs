use actix_web::{web, Scope};

pub struct Orders;

impl Orders {
    pub fn scope() -> Scope {
        web::scope("/orders")
            .service(
                web::resource("")
                    .route(web::get().to(list).authorize(Action::List))
                    .route(web::post().to(create).authorize(Action::Create).wrap(Limit)),
            )
            .service(web::resource("/{id}").route(web::delete().guard(Admin).to(remove)))
            .route("/{id}/lines", web::put().to(lines).wrap(Limit))
    }
}

async fn list() {}
async fn create() {}
async fn remove() {}
async fn lines() {}
