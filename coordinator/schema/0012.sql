-- Beside a group's contracts: what is wrong with the declarations behind them (msgpack of table_notes), and the version of the
-- rules that matched them (coordinator/contracts/matching/match.h); 0: a program that had none.
alter table groups add column notes blob;
alter table groups add column rules integer not null default 0;
