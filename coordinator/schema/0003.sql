-- The contracts in numbers, written with them, so that who calls whom how often is not counted again for each page.
create table contract_counts (
	grp    text not null references groups on delete cascade,
	list   text not null,
	c_repo text not null, p_repo text not null,	-- empty: there is none
	kind   text not null,
	reason text not null,
	n      integer not null,
	primary key (grp, list, c_repo, p_repo, kind, reason)
) without rowid;
insert into contract_counts select grp, list, ifnull(c_repo, ''), ifnull(p_repo, ''), kind, ifnull(reason, ''), count(*)
	from contracts group by 1, 2, 3, 4, 5, 6;
drop index contracts_by_pair;
