use actix_web::{guard, web::*};

pub fn config(cfg: &mut ServiceConfig, limit: &Limit) {
    cfg.service(
        scope("/orders")
            .wrap(limit.messages())
            .route("", get().to(list))
            .route("", post().to(create))
            .route("/{id}", put().to(update))
            .service(
                // creating has a limit of its own
                resource("/bulk")
                    .guard(guard::Post())
                    .wrap(limit.bulk())
                    .route(post().to(create_many)),
            )
            .service(scope("/archive").route("/{year}", get().to(archived))),
    );
}

async fn list() {}
async fn create() {}
async fn update() {}
async fn create_many() {}
async fn archived() {}
