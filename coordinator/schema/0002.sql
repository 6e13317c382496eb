-- Contracts and links are found by what they are about.  They follow from facts, so those that were there are made anew.
drop table contracts;
drop table links;
update groups set synced_at = null, digest = null;

-- The three lists of group_contracts as one ordered stream: msgpack of their records, and both ends (null: there is none).
create table contracts (
	grp    text not null references groups on delete cascade,
	seq    integer not null,
	list   text not null check (list in ('contract', 'unresolved', 'idle')),
	kind   text not null,
	p_repo text, p_method text, p_path text,
	c_repo text, c_method text, c_path text,
	reason text,				-- of what is unresolved
	row    blob not null,
	primary key (grp, seq)
);
create index contracts_by_end on contracts (grp, list, kind, p_repo, c_repo, p_method, c_method, p_path, c_path, reason, seq);
create index contracts_by_pair on contracts (grp, list, c_repo, p_repo, kind, reason);

create table links (
	grp      text not null references groups on delete cascade,
	seq      integer not null,
	relation text not null,
	source   text not null,
	target   text not null,
	row      blob not null,
	primary key (grp, seq)
);
create index links_by_end on links (grp, relation, source, target, seq);

-- What somebody who has left serves and calls is in no list of the group.
create trigger member_left after delete on members begin
	update groups set synced_at = null, digest = null where name = old.grp;
end;
