-- What is registered.  Applied once, in one transaction; later changes are further numbered files.
create table repos (
	repo_uri       text primary key,
	name           text not null,
	default_branch text,
	visibility     text not null default 'private' check (visibility in ('public', 'private')),
	source         text,			-- path or URL it comes from, without credentials
	added_at       text not null,
	stamp          blob,			-- msgpack of the last freshness
	status         blob			-- msgpack of the last status_res
) without rowid;

create table endpoints (
	repo_uri text not null references repos on delete cascade,
	replica  text not null,
	url      text not null,
	primary key (repo_uri, replica)
) without rowid;

create table groups (
	name        text primary key,
	description text,
	synced_at   text,			-- when contracts and links were built; null: never
	digest      text			-- of their rows
) without rowid;

create table members (
	grp      text not null references groups on delete cascade,
	repo_uri text not null references repos on delete cascade,
	synced   text,				-- version of the index whose facts are in the group's tables; null: none
	primary key (grp, repo_uri)
) without rowid;
create index members_by_repo on members (repo_uri);

-- What `atoll up` shall run.
create table sources (
	source   text primary key,		-- path or URL, without credentials
	host     text,
	repo_uri text				-- once its shard has announced itself
) without rowid;

create table source_groups (
	source text not null references sources on delete cascade,
	grp    text not null,
	primary key (source, grp)
) without rowid;

create table repo_index_metadata (
	repo_url   text primary key,
	indexed_at text,
	head_sha   text,
	status     text not null check (status in ('pending', 'building', 'ready', 'failed'))
) without rowid;

-- Last good contract facts of each repository: msgpack of a contracts_res with all pages.
create table facts (
	repo_uri text primary key references repos on delete cascade,
	version  text not null,			-- of the index: generation and commit
	body     blob not null
) without rowid;

-- The three lists of group_contracts as one ordered stream, and the links: msgpack of their records.
create table contracts (
	grp  text not null references groups on delete cascade,
	seq  integer not null,
	list text not null check (list in ('contract', 'unresolved', 'idle')),
	row  blob not null,
	primary key (grp, seq)
) without rowid;

create table links (
	grp text not null references groups on delete cascade,
	seq integer not null,
	row blob not null,
	primary key (grp, seq)
) without rowid;
