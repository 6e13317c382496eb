-- Deliveries of webhooks that were taken.
create table deliveries (
	seq   integer primary key autoincrement,
	forge text not null,
	id    text not null,
	job   text not null,
	unique (forge, id)
);
