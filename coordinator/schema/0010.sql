-- Who was removed, and must not come back by announcing itself until it is added again (coordinator/removed.h): shared.
create table removed (
	repo_uri text not null,
	host     text not null,		-- that shall not run it any more; with replica empty, too: nobody shall
	replica  text not null,		-- the shard that it had there
	primary key (repo_uri, host, replica)
) without rowid;
