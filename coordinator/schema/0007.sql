-- What several coordinators share (coordinator/shared.def).

-- Work on tables that each coordinator has of its own: not shared.
alter table jobs add column own integer not null default 0;

-- What they have made up together, as the key of states that clients carry.
create table secrets (
	name  text primary key,
	value text not null
) without rowid;

-- Who is there, and who does what one of them does for all; empty when the registry is this file.
create table coordinators (
	id         text primary key,
	host       text,
	http       text,
	started_at text
) without rowid;

create table leaders (
	what text primary key,
	id   text not null
) without rowid;

-- The registry that this file is a copy of, by the name that it has in etcd; empty: of none.
create table copy_of (registry text not null);

-- However a repository goes, what is known of its index goes with it.
create trigger repo_gone after delete on repos begin
	delete from repo_index_metadata where repo_url = case when old.repo_uri like 'local:%' then old.repo_uri
		else 'https://' || old.repo_uri end;
end;
