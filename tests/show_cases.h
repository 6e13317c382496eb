#ifndef TESTS_SHOW_CASES_H
#define TESTS_SHOW_CASES_H
/* Answers of tools, and what the program `atoll` prints of them: for test_show.c. */

#define LIB "local:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define GONE "local:fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"

/* In the answers, ' stands for ". */
/* clang-format off */
static const struct { const char *what, *tool, *answer, *printed; } cases[] = {
	{ "no repositories", "list_repos",
		"{'repos':[],'total':0}",
		"no repositories; add some with `atoll repo add PATH` or `atoll up PATH...`\n" },
	{ "repositories, and what is wrong with them", "list_repos",
		"{'repos':[{'name':'acme/api','repo_uri':'github.com/acme/api','groups':['a','b'],'status':'ready','health':'healthy',"
		  "'files':12,'symbols':340,'done':3,'total':7},{'name':'lib-012345',"
		  "'repo_uri':'" LIB "','groups':[],'status':'building',"
		  "'health':'degraded','reason':'slow','files':1,'symbols':2,'done':3,'total':7},{'name':'c',"
		  "'repo_uri':'github.com/acme/web','groups':[],'status':'pending','health':'down','reason':'refused',"
		  "'conflict':'two shards differ','files':0,'symbols':0},{'name':'d','repo_uri':'github.com/acme/web','groups':[],"
		  "'status':'failed','health':'healthy','atoll_yaml':'line 3','indexing':{'status':'pending',"
		  "'last_error':'DB_ERROR: broken','next_run':'12:00'}},{'name':'e','repo_uri':'github.com/acme/web','groups':[],"
		  "'status':'ready','health':'healthy','reason':'','atoll_yaml':'line 3','indexing':{'status':'pending'}},{'name':'f',"
		  "'repo_uri':'github.com/acme/web','groups':[],'status':'ready','health':'healthy','reason':'slow',"
		  "'indexing':{'status':'pending','last_error':'DB_ERROR: broken'}},{'name':'g','repo_uri':'github.com/acme/web',"
		  "'groups':[],'status':'ready','health':'healthy','freshness':{'gaps':[{'cause':'missing','number':2,'example':'a.c'},"
		  "{'cause':'shallow','number':1}]}}],'next_cursor':'c2','total':9}",
		"NAME        HEALTH    INDEX         FILES  SYMBOLS  GROUPS  REPO_URI\n"
		  "acme/api    healthy   ready         12     340      a, b    github.com/acme/api\n"
		  "lib-012345  degraded  building 3/7  1      2                local:0123456789ab   slow\n"
		  "c           down      pending       0      0                github.com/acme/web  two shards differ\n"
		  "d           healthy   failed        0      0                github.com/acme/web  DB_ERROR: broken; next attempt at 12:00\n"
		  "e           healthy   ready         0      0                github.com/acme/web  line 3\n"
		  "f           healthy   ready         0      0                github.com/acme/web  slow\n"
		  "g           healthy   ready         0      0                github.com/acme/web  lacks 2 paths (missing: the repository does not have the object), e.g. a.c; the history before 1 commit (shallow: the clone is shallow)\n"
		  "\n"
		  "more: --cursor c2\n" },
	{ "the coordinator", "status",
		"{'version':'1.2','http':'http://h:1','uptime_ms':65999,'requests':7,'failures':2,'repos':[],'groups':[{'name':'g',"
		  "'description':'of all','members':['github.com/acme/api',"
		  "'" LIB "',"
		  "'" GONE "']},{'name':'h','description':'',"
		  "'members':[]}]}",
		"atoll 1.2 at http://h:1, up 65 s, 7 calls, 2 of them failed\n"
		  "\n"
		  "no repositories; add some with `atoll repo add PATH` or `atoll up PATH...`\n"
		  "\n"
		  "g: of all\n"
		  "  acme/api\n"
		  "  lib-012345\n"
		  "  local:fedcba987654\n"
		  "h\n" },
	{ "no groups", "group_list",
		"{'groups':[]}",
		"no groups; create one with `atoll group create NAME REPO...`\n" },
	{ "a group", "group_create",
		"{'name':'g','members':['github.com/acme/web']}",
		"g\n"
		  "  acme/web\n" },
	{ "a source without groups", "repo_add",
		"{'source':'/src/api','groups':[]}",
		"/src/api joins no group\n" },
	{ "a source with groups", "repo_add",
		"{'source':'/src/api','groups':['a','b']}",
		"/src/api joins a, b\n" },
	{ "a repository", "repo_visibility",
		"{'name':'lib','repo_uri':'" LIB "'}",
		"lib  local:0123456789ab\n" },
	{ "one that was removed", "repo_remove",
		"{'name':'api','repo_uri':'github.com/acme/api'}",
		"api  github.com/acme/api\n" },
	{ "one that others serve", "repo_remove",
		"{'name':'api','repo_uri':'github.com/acme/api','hosts':['x','y']}",
		"api  github.com/acme/api\n"
		  "still served by x, y\n" },
	{ "what was queued", "repo_analyze",
		"{'repo_uri':'github.com/acme/api','started':true,'reason':'forced','job':'j1','generation':4}",
		"acme/api: forced, job j1, current generation 4\n" },
	{ "what was queued before", "repo_analyze",
		"{'repo_uri':'" LIB "','started':false,"
		  "'reason':'forced','job':'j1','generation':4}",
		"lib-012345: already queued, job j1, current generation 4\n" },
	{ "no tokens", "token_list",
		"{'tokens':[]}",
		"No tokens: every user of this machine may use the coordinator.\n" },
	{ "tokens, and what they may", "token_list",
		"{'tokens':[{'name':'all','groups':[],'repos':[],'visibility':'private','read_only':false,'expires_at':null,"
		  "'last_used_at':null},{'name':'some','groups':['a','b'],'repos':['github.com/acme/api',"
		  "'" LIB "'],'visibility':'internal','read_only':true,"
		  "'expires_at':'2027','last_used_at':'2026'},{'name':'one','groups':[],'repos':['github.com/acme/api'],"
		  "'visibility':'private','read_only':true,'last_used_at':'2026'}]}",
		"all   all repositories                                                              never used\n"
		  "some  groups a, b, acme/api, lib-012345, at most internal, read-only  expires 2027  used 2026\n"
		  "one   acme/api, read-only                                                           used 2026\n" },
	{ "a new token", "token_create",
		"{'secret':'s3cret','token':{'name':'ci','groups':['a'],'repos':[],'visibility':'private','read_only':true}}",
		"s3cret\n" },
	{ "a token that is no more", "token_revoke",
		"{'name':'ci'}",
		"ci is revoked\n" },
	{ "a registry of its own", "registry_status",
		"{'kind':'sqlite','at':null,'state':'ready','message':null,'id':'c1','coordinators':[]}",
		"sqlite, ready\n" },
	{ "a shared registry", "registry_status",
		"{'kind':'etcd','at':'http://e:1','state':'away','message':'no leader','id':'c2','coordinators':[{'id':'c1','host':'x',"
		  "'http':'http://x','leads':true},{'id':'c2','host':'y','http':'http://y','leads':false}]}",
		"etcd at http://e:1, away: no leader\n"
		  "c1  x  http://x  leads\n"
		  "c2  y  http://y         this one\n" },
	{ "jobs", "job_list",
		"{'jobs':[{'id':'1','kind':'build','repo_uri':'github.com/acme/api','state':'running','reason':'old',"
		  "'created_at':'10:00','phase':'parse','done':3,'total':7},{'id':'2','kind':'build',"
		  "'repo_uri':'" LIB "','state':'running','reason':'old',"
		  "'created_at':'10:00','phase':'fetch'},{'id':'3','kind':'sync','group':'g','state':'done','reason':'changed',"
		  "'created_at':'10:00','ended_at':'10:05','note':'3 contracts'},{'id':'4','kind':'prune','state':'queued',"
		  "'reason':'old','created_at':'10:00','code':'DB_ERROR','message':'broken','next_run':'11:00'},{'id':'5','kind':'prune',"
		  "'state':'failed','reason':'old','created_at':'10:00','code':'DB_ERROR','note':'x'},{'id':'6','kind':'prune',"
		  "'state':'failed','reason':'old','created_at':'10:00','cancelled':true,'code':'DB_ERROR'}],'next_cursor':'','total':6}",
		"ID  KIND   OF          STATE    REASON   SINCE\n"
		  "1   build  acme/api    running  old      10:00  parse 3/7\n"
		  "2   build  lib-012345  running  old      10:00  fetch\n"
		  "3   sync   g           done     changed  10:05  3 contracts\n"
		  "4   prune              queued   old      10:00  DB_ERROR: broken; next attempt at 11:00\n"
		  "5   prune              failed   old      10:00  DB_ERROR: \n"
		  "6   prune              failed   old      10:00  cancelled\n" },
	{ "a job and its history", "job_show",
		"{'id':'1','kind':'build','repo_uri':'github.com/acme/api','state':'done','reason':'old','created_at':'10:00',"
		  "'note':'indexed','log':[{'at':'10:00','state':'queued'},{'at':'10:01','state':'running','phase':'parse','done':3,"
		  "'total':7},{'at':'10:02','state':'running','phase':'write','done':3},{'at':'10:03','state':'queued','code':'DB_ERROR',"
		  "'message':'broken'},{'at':'10:04','state':'done','message':'indexed'}]}",
		"1  build  acme/api  done  old  10:00  indexed\n"
		  "\n"
		  "10:00  queued\n"
		  "10:01  running  parse 3/7\n"
		  "10:02  running  write\n"
		  "10:03  queued              DB_ERROR: broken\n"
		  "10:04  done                indexed\n" },
	{ "a job without one", "job_cancel",
		"{'id':'1','kind':'build','state':'done','reason':'old','created_at':'10:00'}",
		"1  build    done  old  10:00\n" },
	{ "an index", "repo_status",
		"{'repo_uri':'github.com/acme/api','name':'acme/api','status':'ready','health':'healthy','vectors':'complete',"
		  "'files':2,'bytes':1500,'symbols':3,'documents':4,'index_bytes':2500000,'ingest_ms':17,'languages':[{'name':'go',"
		  "'files':2,'bytes':1500,'example':'not shown'}],'skipped':[{'name':'symlink','files':1,'bytes':0,'example':'a.go'}],"
		  "'quarantined':['b.go','c.go'],'freshness':{'generation':5,'commit':'0123456789abcdef','graph_hash':'fedcba9876543210',"
		  "'gaps':[{'cause':'missing','number':1}]},'vectors_reason':'RATE_LIMITED: wait','sandbox':'landlock',"
		  "'sandbox_lacks':'seccomp'}",
		"acme/api  github.com/acme/api\n"
		  "ready, healthy; generation 5, commit 0123456789ab, graph_hash fedcba987654\n"
		  "its index lacks 1 path (missing: the repository does not have the object)\n"
		  "vectors complete: RATE_LIMITED: wait\n"
		  "sandbox: landlock\n"
		  "sandbox: not active: seccomp\n"
		  "2 files, 1.5 KB; 3 definitions, 4 documents; index 2.5 MB, built in 17 ms\n"
		  "\n"
		  "LANGUAGE  FILES  SIZE\n"
		  "go        2      1.5 KB\n"
		  "\n"
		  "OMITTED OR TRUNCATED  FILES  SIZE    EXAMPLE\n"
		  "symlink               1      0.0 KB  a.go\n"
		  "\n"
		  "in quarantine, because they crashed the indexer:\n"
		  "b.go\n"
		  "c.go\n" },
	{ "an index of which little is known", "repo_status",
		"{'repo_uri':'" LIB "','name':'lib','status':'failed',"
		  "'health':'down','reason':'refused','vectors':'none','bytes':999999,'index_bytes':1000000,'sandbox':''}",
		"lib  local:0123456789ab\n"
		  "failed, down: refused\n"
		  "0 files, 1000.0 KB; 0 definitions, 0 documents; index 1.0 MB, built in 0 ms\n" },
	{ "the members of a group", "group_status",
		"{'group':'g','repos':[{'name':'acme/api','repo_uri':'github.com/acme/api','health':'healthy','status':'ready',"
		  "'staleness_lag_commits':0,'generation':3,'commit':'0123456789abcdef'},{'name':'lib',"
		  "'repo_uri':'" LIB "','health':'down',"
		  "'status':'building','done':1,'total':2,'staleness_lag_commits':-1,'generation':0,'commit':null,'reason':'refused'},"
		  "{'name':'w','repo_uri':'github.com/acme/web','health':'healthy','status':'ready','staleness_lag_commits':12,"
		  "'generation':3,'gaps':[{'cause':'corrupt','number':3,'example':'x/'}]}],'contracts_synced_at':null,'complete':true}",
		"NAME      HEALTH   INDEX         BEHIND   GENERATION  COMMIT        REPO_URI\n"
		  "acme/api  healthy  ready         0        3           0123456789ab  github.com/acme/api\n"
		  "lib       down     building 1/2  unknown  0                         local:0123456789ab   refused\n"
		  "w         healthy  ready         12       3                         github.com/acme/web  lacks 3 paths (corrupt: the object is damaged), e.g. x/\n"
		  "contracts: not built; run `atoll group sync`\n" },
	{ "contracts that are current", "group_status",
		"{'group':'g','repos':[],'contracts_synced_at':'10:00','contracts_current':true,'complete':true}",
		"NAME  HEALTH  INDEX  BEHIND  GENERATION  COMMIT  REPO_URI\n"
		  "contracts: built 10:00\n" },
	{ "declarations with faults", "group_status",
		"{'group':'g','repos':[],'contracts_synced_at':'10:00','contracts_current':true,'complete':true,"
		  "'declarations':[{'repo_uri':'routing','file':'/etc/routing.yaml','line':7,'text':'`from` names no repository'}]}",
		"NAME  HEALTH  INDEX  BEHIND  GENERATION  COMMIT  REPO_URI\n"
		  "contracts: built 10:00\n"
		  "declaration: routing /etc/routing.yaml:7: `from` names no repository\n" },
	{ "contracts that are not, and members that failed", "group_status",
		"{'group':'g','repos':[],'contracts_synced_at':'10:00','contracts_current':false,'complete':false,"
		  "'coverage':{'members':3,'failed':[{'repo_uri':'github.com/acme/api','code':'UNAVAILABLE','message':'no answer'}],"
		  "'stale':[{'repo_uri':'github.com/acme/web','behind':-1},"
		  "{'repo_uri':'" LIB "','behind':2}],"
		  "'notes':[{'repo_uri':'github.com/acme/web','code':'PARTIAL','message':'lacks 1'},{'repo_uri':'github.com/acme/web',"
		  "'code':'EMBEDDER_MISMATCH','message':'not shown'}]}}",
		"NAME  HEALTH  INDEX  BEHIND  GENERATION  COMMIT  REPO_URI\n"
		  "contracts: built 10:00; some members have changed since, or are missing\n"
		  "\n"
		  "incomplete: 1 of 3 members did not answer\n"
		  "  acme/api: UNAVAILABLE: no answer\n"
		  "  acme/web: lacks 1\n"
		  "  acme/web: behind by an unknown number of commits\n"
		  "  lib-012345: 2 commits behind\n" },
	{ "results and what resembles them", "group_query",
		"{'group':'g','mode':'hybrid','results':[{'rank':1,'repo':'acme/api','path':'a.go','start_line':3,'end_line':9,"
		  "'symbol':'A.b','kind':'method','snippet_start_line':5,'snippet':'x := 1\\r\\n\\ny','sources':['vector','lexical']}],"
		  "'similar':[{'rank':2,'repo':'lib','path':'b.c','start_line':1,'end_line':1,'snippet_start_line':1,"
		  "'snippet':'int b;\\n','sources':['vector']}],'complete':true,'took_ms':4,'total':2,'next_cursor':'c3'}",
		"  1. acme/api  a.go:3-9  method A.b\n"
		  "      | line 5:\n"
		  "      | x := 1\n"
		  "      | \n"
		  "      | y\n"
		  "\n"
		  "similar to the question, but without its words:\n"
		  "  2. lib  b.c:1-1\n"
		  "      | int b;\n"
		  "2 of 2 results, 4 ms\n"
		  "\n"
		  "more: --cursor c3\n" },
	{ "only what resembles", "group_query",
		"{'group':'g','mode':'hybrid','results':[],'similar':[{'rank':1,'repo':'lib','path':'b.c','start_line':1,'end_line':1,"
		  "'snippet':'','sources':['vector']}],'complete':false,'took_ms':4,'total':1,'hint':'Nothing matches: zz.',"
		  "'coverage':{'members':2,'partial':[{'cause':'corrupt'}],'notes':[{'repo_uri':'github.com/acme/api','code':'LIMIT',"
		  "'message':'1 file was not read'}]}}",
		"similar to the question, but without its words:\n"
		  "  1. lib  b.c:1-1\n"
		  "Nothing matches: zz.\n"
		  "1 of 1 results, 4 ms\n"
		  "\n"
		  "incomplete: parts of the repositories cannot be read\n"
		  "  acme/api: 1 file was not read\n" },
	{ "only by meaning", "group_query",
		"{'group':'g','mode':'hybrid','results':[{'rank':1,'repo':'lib','path':'b.c','start_line':1,'end_line':2,'symbol':'b',"
		  "'snippet':'b','sources':['vector']}],'complete':true,'took_ms':4,'total':1,'without_vectors':'no key'}",
		"  1. lib  b.c:1-2 b\n"
		  "      | b\n"
		  "Found only by words: no key.\n"
		  "None of these words was found; the results are similar in meaning.\n"
		  "1 of 1 results, 4 ms\n" },
	{ "by meaning, as was asked", "group_query",
		"{'group':'g','mode':'vector','results':[{'rank':1,'repo':'lib','path':'b.c','start_line':1,'end_line':2,'kind':'text',"
		  "'snippet':'b','sources':['vector']}],'complete':true,'took_ms':4,'total':1}",
		"  1. lib  b.c:1-2  text\n"
		  "      | b\n"
		  "1 of 1 results, 4 ms\n" },
	{ "by meaning, on a later page", "group_query",
		"{'group':'g','mode':'hybrid','results':[{'rank':11,'repo':'lib','path':'b.c','start_line':1,'end_line':2,"
		  "'snippet':'b','sources':['vector']}],'complete':false,'took_ms':4,'total':11,'coverage':{'members':2}}",
		" 11. lib  b.c:1-2\n"
		  "      | b\n"
		  "1 of 11 results, 4 ms\n"
		  "\n"
		  "incomplete\n" },
	{ "nothing, by an index that is behind", "group_query",
		"{'group':'g','mode':'hybrid','results':[],'complete':true,'took_ms':4,'total':0,'coverage':{'members':2,"
		  "'stale':[{'repo_uri':'github.com/acme/api','behind':1}]}}",
		"0 of 0 results, 4 ms\n"
		  "\n"
		  "  acme/api: 1 commits behind\n" },
	{ "nothing, with a note", "group_query",
		"{'group':'g','mode':'hybrid','results':[],'complete':true,'took_ms':4,'total':0,'coverage':{'members':2,"
		  "'notes':[{'repo_uri':'github.com/acme/api','code':'PHRASE_UNCHECKED','message':'2 files'}]}}",
		"0 of 0 results, 4 ms\n"
		  "\n"
		  "  acme/api: 2 files\n" },
	{ "nothing, with a note on vectors", "group_query",
		"{'group':'g','mode':'hybrid','results':[],'complete':true,'took_ms':4,'total':0,'coverage':{'members':2,"
		  "'notes':[{'repo_uri':'github.com/acme/api','code':'EMBEDDER_MISMATCH','message':'x'}]}}",
		"0 of 0 results, 4 ms\n" },
	{ "contracts", "group_contracts",
		"{'group':'g','contracts':[{'method':'GET','path':'/a','producer':{'repo_uri':'github.com/acme/api','file':'a.go',"
		  "'line':3,'symbol':'h'},'consumer':{'repo_uri':'github.com/acme/web','file':'w.ts','line':7}},{'method':'GET',"
		  "'path':'/b','ambiguous':true,'producer':{'repo_uri':'github.com/acme/api','file':'b.go','line':3,'symbol':''},"
		  "'consumer':{'repo_uri':'github.com/acme/web','file':'w.ts','line':8}}],'unresolved':[{'method':'PUT','path':'/c',"
		  "'reason':'dynamic','consumer':{'repo_uri':'github.com/acme/web','file':'w.ts','line':9,'method':'PUT','path':'/c'}},"
		  "{'reason':'external'}],'producers_without_consumers':[{'producer':{'repo_uri':'github.com/acme/api','file':'d.go',"
		  "'line':1,'method':'GET','path':'/d'}}],'totals':{'contracts':2,'unresolved':2,'producers_without_consumers':1},"
		  "'synced_at':'10:00','complete':true,'next_cursor':'n'}",
		"GET  /a                   acme/api a.go:3 h\n"
		  "       called by          acme/web w.ts:7\n"
		  "GET  /b                   acme/api b.go:3\n"
		  "       perhaps called by  acme/web w.ts:8\n"
		  "PUT  /c                   dynamic, called by acme/web w.ts:9\n"
		  "                          external, called by \n"
		  "GET  /d                   acme/api d.go:1, without a caller\n"
		  "2 calls, 2 unresolved, 1 routes without a caller; built 10:00\n"
		  "\n"
		  "more: --cursor n\n" },
	{ "a matrix", "matrix",
		"{'group':'g','pairs':[{'consumer':'github.com/acme/web','producer':'github.com/acme/api','kind':'http','calls':2},"
		  "{'consumer':'github.com/acme/web','producer':'github.com/acme/api','kind':'grpc','calls':3},"
		  "{'consumer':'" LIB "','producer':'github.com/acme/web',"
		  "'kind':'http','calls':1}],'reasons':[{'consumer':'github.com/acme/web','reason':'dynamic','calls':4},"
		  "{'consumer':'github.com/acme/web','reason':'external','calls':1},"
		  "{'consumer':'" GONE "','reason':'external','calls':9}],"
		  "'totals':{'contracts':6,'unresolved':14,'producers_without_consumers':0},'synced_at':null,'complete':true}",
		"CALLS OF            acme/api  acme/web  UNRESOLVED\n"
		  "acme/web            5         .         4 dynamic, 1 external\n"
		  "lib-012345          .         1\n"
		  "local:fedcba987654  .         .         9 external\n"
		  "\n"
		  "6 calls, 14 unresolved, 0 routes without a caller; built never; run `atoll group sync`\n"
		  "to list each call: --limit 200, or --json\n" },
	{ "a matrix with many columns", "matrix",
		"{'group':'g','pairs':[{'consumer':'github.com/acme/web','producer':'github.com/acme/p0','kind':'http','calls':1},"
		  "{'consumer':'github.com/acme/web','producer':'github.com/acme/p1','kind':'http','calls':2},"
		  "{'consumer':'github.com/acme/web','producer':'github.com/acme/p2','kind':'http','calls':3},"
		  "{'consumer':'github.com/acme/web','producer':'github.com/acme/p3','kind':'http','calls':4},"
		  "{'consumer':'github.com/acme/web','producer':'github.com/acme/p4','kind':'http','calls':5},"
		  "{'consumer':'github.com/acme/web','producer':'github.com/acme/p5','kind':'http','calls':6},"
		  "{'consumer':'github.com/acme/web','producer':'github.com/acme/p6','kind':'http','calls':7},"
		  "{'consumer':'github.com/acme/web','producer':'github.com/acme/p7','kind':'http','calls':8},"
		  "{'consumer':'github.com/acme/web','producer':'github.com/acme/p8','kind':'http','calls':9}],"
		  "'reasons':[{'consumer':'github.com/acme/web','reason':'dynamic','calls':4},{'consumer':'github.com/acme/api',"
		  "'reason':'dynamic','calls':1}],'complete':true}",
		"CALLS OF  TO\n"
		  "acme/web  acme/p0     1\n"
		  "acme/web  acme/p1     2\n"
		  "acme/web  acme/p2     3\n"
		  "acme/web  acme/p3     4\n"
		  "acme/web  acme/p4     5\n"
		  "acme/web  acme/p5     6\n"
		  "acme/web  acme/p6     7\n"
		  "acme/web  acme/p7     8\n"
		  "acme/web  acme/p8     9\n"
		  "acme/web  unresolved  4 dynamic\n"
		  "acme/api  unresolved  1 dynamic\n"
		  "\n"
		  "to list each call: --limit 200, or --json\n" },
	{ "a matrix with as many as fit", "matrix",
		"{'group':'g','pairs':[{'consumer':'github.com/acme/web','producer':'github.com/acme/p0','kind':'http','calls':1},"
		  "{'consumer':'github.com/acme/web','producer':'github.com/acme/p1','kind':'http','calls':2},"
		  "{'consumer':'github.com/acme/web','producer':'github.com/acme/p2','kind':'http','calls':3},"
		  "{'consumer':'github.com/acme/web','producer':'github.com/acme/p3','kind':'http','calls':4},"
		  "{'consumer':'github.com/acme/web','producer':'github.com/acme/p4','kind':'http','calls':5},"
		  "{'consumer':'github.com/acme/web','producer':'github.com/acme/p5','kind':'http','calls':6},"
		  "{'consumer':'github.com/acme/web','producer':'github.com/acme/p6','kind':'http','calls':7},"
		  "{'consumer':'github.com/acme/web','producer':'github.com/acme/p7','kind':'http','calls':8}],'complete':true}",
		"CALLS OF  acme/p0  acme/p1  acme/p2  acme/p3  acme/p4  acme/p5  acme/p6  acme/p7  UNRESOLVED\n"
		  "acme/web  1        2        3        4        5        6        7        8\n"
		  "\n"
		  "to list each call: --limit 200, or --json\n" },
	{ "an empty matrix", "matrix",
		"{'group':'g','totals':{'contracts':0},'complete':false,'coverage':{'members':1}}",
		"0 calls, 0 unresolved, 0 routes without a caller; built never; run `atoll group sync`\n"
		  "to list each call: --limit 200, or --json\n"
		  "\n"
		  "incomplete\n" },
	{ "links", "group_cross_repo_links",
		"{'group':'g','links':[{'source_repo_uri':'github.com/acme/api','source_doc_path':'go.mod','source_line':4,"
		  "'source_symbol':'not shown','package':'lib','relation':'depends_on_package','target_repo_uri':'github.com/acme/web',"
		  "'evidence':'go.mod'},{'source_repo_uri':'github.com/acme/web','source_doc_path':'w.ts','source_symbol':'load',"
		  "'relation':'consumes_route','target_repo_uri':'github.com/acme/api','target_doc_path':'a.go','target_line':3,"
		  "'target_symbol':'h','evidence':'GET /a'}],'total':5,'next_cursor':'n','complete':true}",
		"acme/api go.mod:4 lib  depends_on_package  acme/web           go.mod\n"
		  "acme/web w.ts load     consumes_route      acme/api a.go:3 h  GET /a\n"
		  "2 of 5 links\n"
		  "\n"
		  "more: --cursor n\n" },
	{ "a graph", "repo_graph",
		"{'group':'g','repos':[{'repo_uri':'github.com/acme/api','rank':0.6251,'needed_by':2},"
		  "{'repo_uri':'github.com/acme/web','rank':0.3,'needed_by':0}],'edges':[{'source':'github.com/acme/web',"
		  "'target':'github.com/acme/api','depends':true,'relations':[{'relation':'x','links':2},{'relation':'y','links':3}]},"
		  "{'source':'github.com/acme/web','target':'" LIB "',"
		  "'depends':true,'relations':[]},{'source':'github.com/acme/api','target':'github.com/acme/web','depends':false,"
		  "'relations':[]}],'cycles':[{'repos':['github.com/acme/api','github.com/acme/web']}],'complete':true}",
		"acme/api  0.625  used by 2\n"
		  "acme/web  0.300  used by 0  acme/api (5), lib-012345 (0)\n"
		  "cycle: acme/api acme/web\n" },
	{ "a graph without a member", "repo_graph",
		"{'group':'g','repos':[{'repo_uri':'github.com/acme/api','rank':1,'needed_by':0}],'complete':false,"
		  "'coverage':{'members':3,'failed':[{'repo_uri':'github.com/acme/web','code':'UNAVAILABLE','message':'no answer'}]}}",
		"acme/api  1.000  used by 0\n"
		  "\n"
		  "incomplete: 1 of 3 members did not answer\n"
		  "  acme/web: UNAVAILABLE: no answer\n" },
	{ "a sync without a member", "group_sync",
		"{'group':'g','contracts_written':3,'links_written':2,'changed':false,'took_ms':9,'complete':false,"
		  "'coverage':{'members':3,'failed':[{'repo_uri':'github.com/acme/web','code':'UNAVAILABLE','message':'no answer'}]}}",
		"g: 3 contract rows, 2 links, unchanged, 9 ms\n"
		  "\n"
		  "incomplete: 1 of 3 members did not answer\n"
		  "  acme/web: UNAVAILABLE: no answer\n" },
	{ "a sync", "group_sync",
		"{'group':'g','contracts_written':3,'links_written':2,'changed':true,'took_ms':9,'complete':true}",
		"g: 3 contract rows, 2 links, changed, 9 ms\n" },
	{ "a sync that finds faults in declarations", "group_sync",
		"{'group':'g','contracts_written':3,'links_written':2,'changed':true,'took_ms':9,'complete':true,"
		  "'declarations':[{'repo_uri':'github.com/acme/web','file':'atoll.yaml','line':3,'text':'`links` leads nowhere'}]}",
		"g: 3 contract rows, 2 links, changed, 9 ms\n"
		  "declaration: acme/web atoll.yaml:3: `links` leads nowhere\n" },
	{ "a sync by new rules", "group_sync",
		"{'group':'g','contracts_written':3,'links_written':2,'changed':true,'took_ms':9,'complete':true,'departed_total':3,"
		  "'departed':[{'kind':'http','was':0.9,'now':0.4,'reason':'ambiguous','missing':'nothing tells which',"
		  "'consumer':{'repo_uri':'github.com/acme/web','file':'a.js','line':3,'method':'GET','path':'/x'},"
		  "'producer':{'repo_uri':'github.com/acme/api','file':'b.go','line':4}}]}",
		"g: 3 contract rows, 2 links, changed, 9 ms\n"
		  "links that the new matching rules do not make: 3\n"
		  "  GET /x from acme/web a.js:3 to acme/api: 0.90 before, now 0.40, ambiguous: nothing tells which\n" },
	{ "a sync that changes nothing", "group_sync",
		"{'group':'g','contracts_written':3,'links_written':2,'changed':false,'took_ms':9,'complete':false,"
		  "'coverage':{'members':1}}",
		"g: 3 contract rows, 2 links, unchanged, 9 ms\n"
		  "\n"
		  "incomplete\n" },
	{ "what speaks for each call", "calls",
		"{'group':'g','contracts':[{'method':'GET','path':'/a','confidence':0.9,'producer':{'repo_uri':'github.com/acme/api','file':'a.go',"
		  "'line':9,'method':'GET','path':'/a'},'consumer':{'repo_uri':'github.com/acme/web','file':'w.ts','line':3,'method':'GET',"
		  "'path':'/a'},'evidence':[{'repo_uri':'github.com/acme/web','file':'w.ts','line':3,'text':'host api names acme/api',"
		  "'code':'host'}]}],'unresolved':[{'method':'GET','path':'/b/a','host':'apo','reason':'no-producer','why':'name','gap':'base',"
		  "'gap_at':'w.ts:2','consumer':{'repo_uri':'github.com/acme/web','file':'w.ts','line':4,'method':'GET','path':'/b/a'},"
		  "'candidates':[{'repo_uri':'github.com/acme/api','file':'a.go','line':9,'method':'GET','path':'/a'}]}],"
		  "'producers_without_consumers':[{'producer':{'repo_uri':'github.com/acme/api','file':'a.go','line':7,'method':'GET',"
		  "'path':'/a/b'}}],'complete':true}",
		"linked (0.90): GET /a in acme/web w.ts:3\n"
		  "    to GET /a in acme/api a.go:9\n"
		  "    host: host api names acme/api  (acme/web w.ts:3)\n"
		  "not linked (no-producer): GET /b/a in acme/web w.ts:4, host apo\n"
		  "    not followed: name `base` at w.ts:2\n"
		  "    perhaps GET /a in acme/api a.go:9\n"
		  "without a caller: GET /a/b in acme/api a.go:7\n" },
	{ "packages", "packages",
		"{'group':'g','packages':[{'ecosystem':'npm','name':'@acme/ui','total':3,'declarations':[{'repo_uri':'github.com/acme/web',"
		  "'file':'package.json','line':4,'range':'^3','scope':'runtime','publishers':['github.com/acme/ui'],'uses':7},"
		  "{'repo_uri':'" LIB "','file':'package.json','line':5,'range':'3.0.0','scope':'dev','publishers':['github.com/acme/ui',"
		  "'github.com/acme/fork']}]},{'ecosystem':'go','name':'x.example/y','total':1,'publishers':[{'repo_uri':'github.com/acme/no'}],"
		  "'declarations':[{'repo_uri':'github.com/acme/web','file':'go.mod','line':2,'scope':'indirect'}]},{'ecosystem':'npm',"
		  "'name':'alone','total':0,'publishers':[{'repo_uri':'github.com/acme/web','version':'1.0','file':'a/package.json','line':1}]}],"
		  "'total':5,'total_packages':3,'total_external':1,'next_cursor':'n','complete':true}",
		"npm @acme/ui    ^3           acme/web package.json:4    published by acme/ui, 7 uses\n"
		  "npm @acme/ui    3.0.0 (dev)  lib-012345 package.json:5  published by acme/ui or acme/fork\n"
		  "go x.example/y  (indirect)   acme/web go.mod:2          external\n"
		  "npm alone       1.0          acme/web a/package.json:1  published, not declared\n"
		  "5 declarations, 3 packages, 1 of them external\n"
		  "\n"
		  "more: --cursor n\n" },
	{ "why there is no link", "explain_link",
		"{'group':'g','from':'github.com/acme/web','to':'github.com/acme/api','linked':false,'step':'host','why':'nobody is `apo`',"
		  "'problems':[{'step':'no-routes','repo_uri':'github.com/acme/api','text':'it serves nothing'}],'missing':[{'kind':'http',"
		  "'call':{'repo_uri':'github.com/acme/web','file':'w.ts','line':3,'method':'GET','path':'/a'},'host':'apo',"
		  "'goes_to':'github.com/acme/other','candidates':[{'step':'host','text':'nobody is `apo`','route':{'repo_uri':"
		  "'github.com/acme/api','file':'a.go','line':9,'method':'GET','path':'/a'},'at':'w.ts:2','atoll_yaml':'services: [{}]',"
		  "'atoll_yaml_of':'github.com/acme/api'}]}],'total':2,'next_cursor':'n','complete':true}",
		"host: nobody is `apo`\n"
		  "no-routes: it serves nothing\n"
		  "\n"
		  "not linked: GET /a in acme/web w.ts:3, host apo, linked to acme/other\n"
		  "    host: nobody is `apo`\n"
		  "        route: GET /a in acme/api a.go:9\n"
		  "        at: w.ts:2\n"
		  "        atoll.yaml of acme/api: services: [{}]\n"
		  "1 of 2\n"
		  "\n"
		  "more: --cursor n\n" },
	{ "why there is a link", "explain_link",
		"{'group':'g','linked':true,'why':'it is linked','contracts':[{'method':'GET','path':'/a','confidence':0.9,'ambiguous':true,"
		  "'producer':{'repo_uri':'github.com/acme/api','file':'a.go','line':9,'method':'GET','path':'/a'},'consumer':"
		  "{'repo_uri':'github.com/acme/web','file':'w.ts','line':3,'method':'GET','path':'/a'},'evidence':[{'repo_uri':"
		  "'github.com/acme/web','file':'w.ts','line':3,'code':'host','text':'host api names acme/api'},{'text':'url'}]}],'links':[{'relation':'depends_on_package',"
		  "'confidence':1,'package':'lib','source_repo_uri':'github.com/acme/web','source_doc_path':'go.mod','source_line':4}],"
		  "'total':2,'complete':true}",
		"it is linked\n"
		  "\n"
		  "linked (0.90, ambiguous): GET /a in acme/web w.ts:3\n"
		  "    to GET /a in acme/api a.go:9\n"
		  "    host: host api names acme/api  (acme/web w.ts:3)\n"
		  "linked (1.00): depends_on_package lib in acme/web go.mod:4\n" },
	{ "no tool with a printer", "other",
		"{'a':'\\u001b'}",
		"{\"a\":\"\\u001b\"}\n" },
};
/* clang-format on */
#endif
