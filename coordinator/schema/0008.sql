-- What happened to each job, as this coordinator has seen it: not shared.  Made by triggers, so that nothing that moves a job
-- can forget it; gone with the job.
create table job_log (
	seq     integer primary key,
	job     text not null,
	at_ms   integer not null,
	state   text not null,		-- of the job, or: cancel, when somebody wants it to end
	phase   text,
	done    integer,
	total   integer,
	code    text,
	message text			-- what failed, or what came of it
);
create index job_log_of on job_log (job, seq);

create trigger job_log_put after insert on jobs begin
	insert into job_log (job, at_ms, state, message)
	values (new.id, cast((julianday('now') - 2440587.5) * 86400000 as integer), new.state, 'asked for: ' || new.reason);
end;

create trigger job_log_moved after update of state, phase, cancelled on jobs
when new.state <> old.state or new.cancelled <> old.cancelled or (new.state = 'running' and new.phase is not old.phase) begin
	insert into job_log (job, at_ms, state, phase, done, total, code, message)
	values (new.id, cast((julianday('now') - 2440587.5) * 86400000 as integer),
		case when new.state = 'running' and new.cancelled and not old.cancelled then 'cancel' else new.state end, new.phase,
		case when new.state = 'running' then new.done end, case when new.state = 'running' then new.total end, new.code,
		coalesce(new.message, case when new.state = 'done' then new.note end));
	-- one that is tried for days: the last 200
	delete from job_log where job = new.id and seq <= (select seq from job_log where job = new.id order by seq desc limit 1 offset 200);
end;

create trigger job_log_gone after delete on jobs begin
	delete from job_log where job = old.id;
end;
