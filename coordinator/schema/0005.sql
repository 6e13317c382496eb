-- Work that outlives the process.  A running job is a lease: its holder's until lease_ms, which that moves on.
create table jobs (
	seq        integer primary key autoincrement,
	id         text not null unique,	-- random: says nothing of jobs that a caller may not see
	kind       text not null,
	key        text not null,		-- kind:what; one queued at a time
	lane       text not null,		-- those of one lane run one after the other
	heavy      integer not null,		-- counts against the limits
	repo_uri   text,
	grp        text,
	host       text,			-- machine that does the work, where it is known
	force      integer not null default 0,
	base       text,			-- of a push
	head       text,
	reason     text not null,		-- why it was asked for
	caller     text not null,
	state      text not null check (state in ('queued', 'running', 'done', 'failed')),
	cancelled  integer not null default 0,
	tries      integer not null default 0,	-- that failed
	waits      integer not null default 0,	-- times that its shard was away
	lost       integer not null default 0,	-- times that its coordinator was
	created_ms integer not null,		-- these are real time
	due_ms     integer not null,		-- not before
	started_ms integer,
	ended_ms   integer,
	holder     text,
	lease_ms   integer,
	memo       text not null default '',	-- of the kind, between its steps
	phase      text,
	done       integer not null default 0,
	total      integer not null default 0,
	generation integer,			-- of the index that it made or found
	note       text,			-- what came of it
	code       text,			-- of the last failure
	message    text
);
create unique index jobs_queued on jobs (key) where state = 'queued';
create unique index jobs_running on jobs (lane) where state = 'running';
create index jobs_by_state on jobs (state, due_ms);
create index jobs_by_repo on jobs (repo_uri, seq);

-- When the index was last known to be at the head of its repository.
alter table repo_index_metadata add column checked_at text;
