-- Beside a group's contracts: what is wrong with the declarations behind them (msgpack of table_notes), and the version of the
-- rules that matched them (coordinator/contracts/matching/match.h); 0: a program that had none.
alter table groups add column notes blob;
alter table groups add column rules integer not null default 0;

-- The contracts between two repositories by tenths of their confidence (10: certain; 4: less than 0.5), written with them.
create table link_bins (
	grp text not null references groups on delete cascade,
	bin integer not null,
	n   integer not null,
	primary key (grp, bin)
) without rowid;
insert into link_bins select grp, min(10, max(4, cast(confidence * 10 + 1e-9 as integer))), count(*)
	from contracts where list = 'contract' and c_repo <> p_repo group by 1, 2;
