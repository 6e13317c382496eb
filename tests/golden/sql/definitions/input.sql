-- Who buys.
CREATE TABLE IF NOT EXISTS public."users" (
  id serial PRIMARY KEY,
  name text NOT NULL,
  UNIQUE (name)
);

CREATE UNIQUE INDEX idx_users_name ON users (name);

-- Those who still do.
create or replace view active_users as
  select * from users;

CREATE OR REPLACE FUNCTION add(a integer, b integer) RETURNS integer AS $$
BEGIN
  RETURN a + b;
END
$$ LANGUAGE plpgsql;

CREATE TRIGGER on_insert BEFORE INSERT ON users
  FOR EACH ROW EXECUTE PROCEDURE audit();

CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE MATERIALIZED VIEW totals AS SELECT 1;

ALTER TABLE users ADD COLUMN age int;
INSERT INTO users VALUES (1, 'a');
