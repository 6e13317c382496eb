-- Which token added a source; null: the operator, as whatever was there before (proto/base/egress.h).
alter table sources add column added_by text;
