-- Contracts and links are found by how sure they are, too.  They follow from facts, so they are made anew.
alter table contracts add column confidence real;	-- null: a row of another list
alter table links add column confidence real;
drop index contracts_by_end;
create index contracts_by_end on contracts (grp, list, kind, p_repo, c_repo, p_method, c_method, p_path, c_path, reason, seq, confidence);
drop index links_by_end;
create index links_by_end on links (grp, relation, source, target, seq, confidence);
update groups set synced_at = null, digest = null;
