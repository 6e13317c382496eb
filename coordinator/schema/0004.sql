-- Who may see a repository: `internal` between the two others.  (A check cannot be changed: the table is made anew; foreign keys are off.)
create table repos_anew (
	repo_uri       text primary key,
	name           text not null,
	default_branch text,
	visibility     text not null default 'private' check (visibility in ('public', 'internal', 'private')),
	source         text,			-- path or URL it comes from, without credentials
	added_at       text not null,
	stamp          blob,			-- msgpack of the last freshness
	status         blob			-- msgpack of the last status_res
) without rowid;
insert into repos_anew select repo_uri, name, default_branch, visibility, source, added_at, stamp, status from repos;
drop table repos;
alter table repos_anew rename to repos;

-- Who may ask.
create table tokens (
	name         text primary key,
	hash         text not null unique,	-- SHA-256 of the token, hex
	visibility   text not null check (visibility in ('public', 'internal', 'private')),	-- of what it may see at most
	read_only    integer not null,
	created_at   text not null,
	expires_at   text,			-- null: never
	last_used_at text			-- null: never
) without rowid;

-- Which repositories it is limited to, themselves and by groups; without rows: none of both.
create table token_scope (
	token text not null references tokens on delete cascade,
	kind  text not null check (kind in ('group', 'repo')),
	value text not null,			-- name or repo_uri; it need not be there yet
	primary key (token, kind, value)
) without rowid;

-- Another version when tokens may see other repositories than before.
create table scope (version integer not null);
insert into scope values (1);
create trigger scope_repo_new after insert on repos begin update scope set version = version + 1; end;
create trigger scope_repo_gone after delete on repos begin update scope set version = version + 1; end;
create trigger scope_repo_set after update of visibility on repos begin update scope set version = version + 1; end;
create trigger scope_member_new after insert on members begin update scope set version = version + 1; end;
create trigger scope_member_gone after delete on members begin update scope set version = version + 1; end;
