CREATE TABLE "orders" (
  "id" integer NOT NULL,
  "day" date NOT NULL
);

CREATE TABLE "lines" (
  "order" integer NOT NULL
);

CREATE UNIQUE INDEX "orders.id_day_unique" ON "orders" ("id", "day");

ALTER TABLE "lines" ADD FOREIGN KEY ("order") REFERENCES "orders" ("id");
