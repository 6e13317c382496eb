mod depot;
mod urls;
