mod depot;
mod router;
