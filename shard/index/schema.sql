-- The index of one commit, written by the ingest child: from scratch into a new file, or changed in one transaction.
-- Ids have the order that is noted here only after a full build: no answer may depend on them.
-- Derived data: an index with another SCHEMA_VERSION (index_store.h) or EXTRACTOR_VERSION (facts.h) is rebuilt, not migrated.
create table meta (key text primary key, value text not null) without rowid;
create table files (
	id integer primary key,		-- in order of path
	path text not null,
	blob text not null,
	language text not null,
	size integer not null,
	lines integer not null,
	test integer not null,
	generated integer not null,
	package text,			-- declared package or namespace (facts.h); null: none
	nodes blob not null default x'',	-- SHA-256 of what the file itself says (graph_hash.h)
	hash blob not null default x''	-- of that and its edges
);
-- Files that are left out, and of which only the names are known: left_out_names.h.  Their ids are none of `files`.
create table left_out (
	id integer primary key,
	path text not null,
	blob text not null,
	language text not null,
	lines integer not null,
	test integer not null,
	generated integer not null
);
-- The definitions of each file, their doc comments, and which files define a name: symbol_store.h.  Statements read them
-- as the table `symbols`.
create table definitions (file integer primary key, data blob not null);
create table told (file integer primary key, docs blob not null);
create table named (bucket integer primary key, data blob not null);
-- Names that the graph does not know, in the same form; statements read them as the table `minor_symbols`.
create table minors (file integer primary key, data blob not null);
create table minors_named (bucket integer primary key, data blob not null);
create table documents (
	id integer primary key,
	file integer not null,
	number integer not null,	-- of the symbol in its file (symbol_store.h); 0: text outside symbols
	start_line integer not null,
	more integer not null,		-- lines behind the first
	hash integer not null		-- of its texts, which must be had again to take it out of postings
);
create view docs as select id, file, case number when 0 then null else file << 24 | number end as symbol, start_line,
	start_line + more as end_line, hash from documents;
-- Which documents contain a term: postings.h.
create table postings (
	term text not null,
	first integer not null,		-- the first document of the row
	docs integer not null,
	data blob not null,
	primary key (term, first)
) without rowid;
-- A row describes the RANKING_ROW_DOCS (index_store.h) documents from id * RANKING_ROW_DOCS on: the length of each in words,
-- uint16_t (0 = removed), its prior (document_prior.h), uint8_t, its file, uint32_t, its text_id, uint64_t (text_id.h), and
-- the low 32 bits of its hash, uint32_t.
create table ranking (id integer primary key, lengths blob not null, priors blob not null, files blob not null,
	texts blob not null, hashes blob not null);
-- What resolution needs from a file, by facts_codec.h; no row if nothing.
create table facts (file integer primary key, facts blob not null);
-- Resolved relations between definitions (kinds.def), and which files have some into a file: edge_store.h.
create table edges (file integer primary key, data blob not null);
create table incoming (target_file integer not null, file integer not null, primary key (target_file, file)) without rowid;
-- Which files must be resolved again when the meaning of a key changes: file_dependencies.h.
create table uses (file integer primary key, keys blob not null);
create table contracts (
	id integer primary key,
	file integer not null,		-- in which it stands
	owner integer not null,		-- which it was found in: another one for a call of a wrapper (contracts.h)
	line integer not null,
	fact blob not null,		-- record `fact`, msgpack
	joined integer not null default 0	-- 1: found when the file was resolved, 2: with all files known (join.h), 3: said by a document (answers.h), 4: a part of what answers make, no contract by itself
);
-- Files whose contracts other files complete, and the framework objects that a file makes or refers to (facts.h); what files
-- mount on objects of others: the file and byte, or name, of the object (empty = all), and the byte of the statement; which
-- files must be processed again: crossfile.h.
create table open (file integer primary key, sites integer not null, links integer not null, makes text, binds text);
create table mounts (child text not null, framework text not null, file integer not null, at integer not null);
create table settings (key text not null, file integer not null, value text not null, service text, line integer not null);	-- key: settings_key
-- The operations that documents declare (operations.h); their handlers are in contracts, joined 3.
create table operations (file integer not null, line integer not null, end_line integer not null, form text not null, kind text not null,
	method text not null, path text not null, bare text, name text, owner text, label text, resource text);
create table packages (file integer not null, row blob not null);	-- record `package` (manifests.h, addresses.h), without its file
create table asked (file integer primary key, keys blob not null);
create table names (name text primary key) without rowid;
create table skipped (path text primary key, reason text not null, size integer not null) without rowid;
-- The summary of `skipped`, by reason.
create table skips (reason text primary key, files integer not null, bytes integer not null, example text not null)
	without rowid;
create table scips (path text primary key, blob text not null) without rowid;	-- SCIP indexes
create table rules (path text primary key, blob text not null) without rowid;	-- .atollignore and .gitattributes files
-- The text of each file, also of those that the ranked index leaves out, for exact search (shard/trigrams/TRIGRAMS.md).
create table texts (
	id integer primary key,
	path text not null,
	language text,
	bytes integer not null
);
create index texts_path on texts (path);
create table text_data (id integer primary key, data blob not null);	-- deflate.h
-- Files without a text, and why.
create table no_texts (path text primary key, reason text not null, bytes integer not null) without rowid;
-- Texts with the ids from `first` on, whose trigrams are listed; `gone`: how many of them are no more.
create table text_segments (id integer primary key, first integer not null, texts integer not null, gone integer not null default 0);
-- Which texts of a segment contain a trigram: gram_lists.h.
create table grams (segment integer not null, first integer not null, data blob not null, primary key (segment, first)) without rowid;
