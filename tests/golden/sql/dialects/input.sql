CREATE TABLE `users` (
  `id` int NOT NULL,
  nick_name varchar(20),
  PRIMARY KEY (`id`)
);
create table if not exists shop.orders (order_id serial primary key, total_cents bigint);
ALTER TABLE users ADD COLUMN mail_address text;
alter table only public.users
  add column if not exists phone_number text,
  add column fax_number text;
ALTER TABLE `orders` ADD `placed_at` datetime;
ALTER TABLE [dbo].[Orders] ADD [ShippedAt] datetime;
CREATE TABLE [dbo].[Invoices] (
  [InvoiceId] INT IDENTITY(1,1),
  [PaidAt] datetime
);
CREATE INDEX CONCURRENTLY idx_orders_total ON orders (total_cents);
CREATE UNIQUE INDEX IF NOT EXISTS uq_mail ON users(mail_address);
CREATE TEMPORARY VIEW recent_orders AS SELECT * FROM orders;
CREATE OR REPLACE PROCEDURE close_month(y int) AS $$ begin end $$ language plpgsql;
CREATE SEQUENCE order_seq;
CREATE DOMAIN money_amount AS numeric;
CREATE VIRTUAL TABLE notes_fts USING fts5(title, body);
CREATE TRIGGER trg_users AFTER UPDATE ON users EXECUTE FUNCTION f();
CREATE MATERIALIZED VIEW IF NOT EXISTS mv_sales AS SELECT 1;
ALTER TABLE users ADD CONSTRAINT fk_x FOREIGN KEY (id) REFERENCES b(id);
ALTER TABLE orders ADD INDEX idx_z (id);
CREATE TYPE mood AS ENUM ('sad');
-- ALTER TABLE x ADD COLUMN commented int;
INSERT INTO t VALUES ('a
ADD COLUMN text');
