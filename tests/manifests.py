"""manifests.py RENDERED OUT: checks deploy/kubernetes as `kubectl kustomize` renders it, deploy/compose.yaml and the Dockerfile.

Prints each violation.  Writes each pod's environment, command and secrets below OUT, so that they can be run."""
import base64
import os
import re
import shlex
import sys

import yaml

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
wrong = []


def want(good, text):
    if not good:
        wrong.append(text)


def read(path):
    with open(os.path.join(ROOT, path)) as f:
        return f.read()


TABLES = {"atoll-coordinator": "coordinator/base/options.def", "atoll-shard": "shard/base/options.def", "atoll": "coordinator/cli/base/options.def"}


def options(program):
    table = read(TABLES[program]) + read("proto/embed/embedder.def") + read("proto/net/egress.def")
    rows = {"ATOLL_" + name.upper(): kind for kind, name in re.findall(r"^OPT\((\w+), *(\w+)", table, re.M)}
    if program == "atoll-coordinator":
        forges = re.findall(r"^FORGE\((\w+)", read("coordinator/base/forges.def"), re.M)
        rows.update({f"ATOLL_{name.upper()}_WEBHOOK_SECRET_FILE": "str" for name in forges})
    return rows


def environment(where, program, env):
    """Names are options, and none of a secret's own.  Which ETCD_ there are etcd itself says (61-manifests)."""
    if program == "etcd":
        want(all(name == "POD" or name.startswith("ETCD_") for name in env), f"{where}: {sorted(env)}")
        return
    for name in env:
        want(not name.startswith("ATOLL_") or name in options(program), f"{where}: {program} has no option {name}")
        want(options(program).get(name) != "secret", f"{where}: {name} is a secret in plain sight")
    ports = [name for name in ("ATOLL_LISTEN", "ATOLL_COORDINATOR", "ATOLL_SHARD") if "tcp://" in str(env.get(name))]
    want(not ports or "ATOLL_CLUSTER_KEY_FILE" in env, f"{where}: {ports} without a cluster key")


def inside(labels, selector):
    return all(labels.get(k) == v for k, v in selector.items())


# ---- pods of Kubernetes ----

REFERENCES = (("Secret", "secret", "secretName"), ("ConfigMap", "configMap", "name"),
              ("PersistentVolumeClaim", "persistentVolumeClaim", "claimName"))


def confined(name, spec):
    want(spec["securityContext"].get("runAsNonRoot") and spec["securityContext"].get("runAsUser"), f"{name}: runs as root")
    want(spec["securityContext"].get("seccompProfile") == {"type": "RuntimeDefault"}, f"{name}: may landlock and seccomp be used?")
    want(spec.get("enableServiceLinks") is False, f"{name}: services come as ATOLL_ variables")
    want(spec.get("automountServiceAccountToken") is False, f"{name}: has a token of the cluster")
    for c in spec["containers"]:
        safe = c["securityContext"]
        want(safe["readOnlyRootFilesystem"] and not safe["allowPrivilegeEscalation"] and safe["capabilities"]["drop"] == ["ALL"],
             f"{name}: not confined")
        want("memory" in c["resources"]["limits"], f"{name}: no limit of memory")


def volumes_of(name, owner, things):
    """By name; what they refer to is there."""
    volumes = {v["name"]: v for v in owner["spec"]["template"]["spec"]["volumes"]}
    volumes.update({c["metadata"]["name"]: c for c in owner["spec"].get("volumeClaimTemplates", [])})
    for v in volumes.values():
        for kind, key, field in REFERENCES:
            want(key not in v or (kind, v[key][field]) in things, f"{name}: no {kind} {v.get(key)}")
    return volumes


def probes(name, container):
    ports = {p["name"] for p in container["ports"]}
    want("readinessProbe" in container, f"{name}: no readiness probe")
    for probe in (container.get("readinessProbe", {}), container.get("livenessProbe", {})):
        want("httpGet" not in probe or probe["httpGet"]["port"] in ports, f"{name}: probe of no port: {probe}")


def files_of(mounts, volumes, things):
    """What secrets and maps bring: contents by path."""
    files = {}
    for path, mounted in mounts.items():
        volume = volumes.get(mounted, {})
        if "secret" in volume:
            data = things["Secret", volume["secret"]["secretName"]]["data"]
            files.update({f"{path}/{k}": base64.b64decode(v) for k, v in data.items()})
        if "configMap" in volume:
            data = things["ConfigMap", volume["configMap"]["name"]]["data"]
            files.update({f"{path}/{k}": v.encode() for k, v in data.items()})
    return files


def write_container(folder, files, env, command):
    for path, content in files.items():
        os.makedirs(f"{folder}/{os.path.dirname(path)}", exist_ok=True)
        with open(f"{folder}/{path}", "wb") as f:
            f.write(content)
    with open(f"{folder}/env", "w") as f:
        f.writelines(f"{k}={v}\n" for k, v in env.items())
    with open(f"{folder}/command", "w") as f:
        f.write("exec " + shlex.join(command) + "\n")


def container(name, c, volumes, things, out):
    probes(name, c)
    env = {e["name"]: e.get("value", "") for e in c["env"]}
    environment(name, re.search(r"atoll-(coordinator|shard)|^etcd$", c["command"][-1])[0], env)
    mounts = {m["mountPath"]: m["name"] for m in c["volumeMounts"]}
    for mounted in mounts.values():
        want(mounted in volumes, f"{name}: no volume {mounted}")
    files = files_of(mounts, volumes, things)
    for variable, value in env.items():
        lasts = any(f"{value}/".startswith(m + "/") for m in mounts)
        want(not value.startswith("/etc/") or value in files, f"{name}: {variable}: {value} is not mounted")
        want(not value.startswith("/var/") or lasts, f"{name}: {variable}: {value} does not outlive the pod")
    write_container(f"{out}/{name}", files, env, c["command"])


def pod(owner, things, out):
    """Its labels and ports."""
    name, template = owner["metadata"]["name"], owner["spec"]["template"]
    labels, spec = template["metadata"]["labels"], template["spec"]
    want(inside(labels, owner["spec"]["selector"]["matchLabels"]), f"{name}: its selector is not of its pods")
    confined(name, spec)
    volumes = volumes_of(name, owner, things)
    for c in spec["containers"]:
        container(name, c, volumes, things, out)
    return labels, {p["containerPort"] for c in spec["containers"] for p in c["ports"]}


def every_pod(sets, of, who, variable, port):
    """That variable names every pod of a set, by its own name, and no other."""
    there = {f"{of}-{n}.{sets[of]['spec']['serviceName']}:{port}" for n in range(sets[of]["spec"]["replicas"])}
    env = {e["name"]: e.get("value", "") for e in sets[who]["spec"]["template"]["spec"]["containers"][0]["env"]}
    named = set(re.findall(r"[\w.-]+:\d+", env[variable]))
    want(named == there, f"{who}: {variable} names {sorted(named)}, there are {sorted(there)}")


# ---- what stands around pods ----

def ports_of(pods, selector):
    """Of each kind of pod that is chosen."""
    return [ports for labels, ports in pods if inside(labels, selector)]


def service(name, t, pods, things):
    to = ports_of(pods, t["spec"]["selector"])
    want(len(to) == 1 and all(p["port"] in to[0] for p in t["spec"]["ports"]), f"Service {name}: reaches nothing")


def budget(name, t, pods, things):
    want(ports_of(pods, t["spec"]["selector"]["matchLabels"]), f"{name}: of no pod")


def policy(name, t, pods, things):
    own = ports_of(pods, t["spec"]["podSelector"].get("matchLabels", {}))
    want(own, f"NetworkPolicy {name}: of no pod")
    for rule in t["spec"].get("ingress", []):
        want(all(p["port"] in own[0] for p in rule["ports"]), f"NetworkPolicy {name}: opens a port that nobody has")
    for rule in t["spec"].get("egress", []):
        for to in rule.get("to", []):
            there = ports_of(pods, to["podSelector"]["matchLabels"])
            want(there and all(p["port"] in there[0] for p in rule["ports"]), f"NetworkPolicy {name}: leads nowhere")


def stateful(name, t, pods, things):
    want(("Service", t["spec"]["serviceName"]) in things, f"{name}: no service {t['spec']['serviceName']}")
    want(t["spec"].get("volumeClaimTemplates"), f"{name}: its data does not outlive it")
    want(("PodDisruptionBudget", name) in things, f"{name}: all of it may be drained at once")


RULES = {"Service": service, "PodDisruptionBudget": budget, "NetworkPolicy": policy, "StatefulSet": stateful}


def kubernetes(rendered, out):
    with open(rendered) as f:
        every = list(yaml.safe_load_all(f))
    things = {(t["kind"], t["metadata"]["name"]): t for t in every}
    want(len(things) == len(every), "two things of one name")
    pods = [pod(t, things, out) for t in every if t["kind"] in ("Deployment", "StatefulSet")]
    want(len(pods) == 3, f"{len(pods)} kinds of pods")
    sets = {n: t for (kind, n), t in things.items() if kind == "StatefulSet"}
    every_pod(sets, "atoll-coordinator", "atoll-shard", "ATOLL_COORDINATOR", 7701)
    every_pod(sets, "atoll-etcd", "atoll-coordinator", "ATOLL_REGISTRY", 2379)
    every_pod(sets, "atoll-etcd", "atoll-etcd", "ETCD_INITIAL_CLUSTER", 2380)
    for (kind, name), t in things.items():
        want(kind == "Namespace" or t["metadata"].get("namespace") == "atoll", f"{kind} {name}: in no namespace")
        if kind in RULES:
            RULES[kind](name, t, pods, things)
    shards, lines = sets["atoll-shard"]["spec"]["replicas"], read("deploy/kubernetes/repositories.txt").splitlines()
    want(shards == len(lines), f"{shards} shards, {len(lines)} repositories")
    kinds = {k for k, _ in things}
    want(kinds >= {*RULES, "Secret"}, f"only {kinds}")


# ---- the others ----

def of_certs(text):
    """The files below deploy/secrets that the commands in its head make."""
    names = re.search(r"certs issue deploy/secrets (.*?) &&", text)[1].split()
    made = {f"{name.split(',')[0]}.{end}" for name in names for end in ("pem", "key")} | {"ca.pem", "cluster-key", "bootstrap-token"}
    return {f"secrets/{f}" for f in made}


def composed(name, s, c):
    """A service of the file `c`."""
    env = s["environment"]
    want(s.get("read_only") and s.get("cap_drop") == ["ALL"] and "mem_limit" in s, f"compose: {name} is not confined")
    want(s.get("pids_limit"), f"compose: {name}: nothing bounds its processes")
    want(s.get("security_opt") == ["no-new-privileges:true"], f"compose: {name}: {s.get('security_opt')}: may landlock and seccomp be used?")
    environment("compose: " + name, s["command"][0], env)
    for variable, value in env.items():
        secret = re.match(r"/run/secrets/(.*)", value)
        want(not secret or secret[1] in s["secrets"] and secret[1] in c["secrets"], f"compose: {name}: {variable}: {value} is not there")
    want(name == "etcd" or s["command"] == ["atoll-coordinator"] or "etcd" not in s.get("networks", []), f"compose: {name} reaches etcd")
    for volume in s["volumes"]:
        want(volume.split(":")[0] in c["volumes"], f"compose: no volume {volume}")
    for host in re.findall(r"://([\w-]+):(?!7710)", f"{env.get('ATOLL_COORDINATOR')} {env.get('ATOLL_REGISTRY')}"):
        want(host in c["services"] and host in s["depends_on"], f"compose: {name} looks for {host}, on which it does not depend")
    reach = env.get("ATOLL_ADVERTISE")
    want(not reach or reach == f"tls+tcp://{name}:7710", f"compose: {name} is advertised as {reach}")


def compose():
    text = read("deploy/compose.yaml")
    c, made = yaml.safe_load(text), of_certs(text)
    for secret in c["secrets"].values():
        want(secret["file"] in made, f"compose: atoll certs makes no {secret['file']}")
    for name, s in c["services"].items():
        composed(name, s, c)


def image():
    last = read("deploy/Dockerfile").split("\nFROM ")[-1]
    want(re.search(r"^USER [1-9]", last, re.M), "Dockerfile: runs as root")
    want("COPY --from=build" in last, "Dockerfile: holds what it was built with")


def texts():
    """What the README and the files for systemd call an option is one."""
    known = set().union(*map(options, TABLES)) | {"ATOLL_URL", "ATOLL_SOME_OPTION"}
    units = ["deploy/systemd/" + f for f in os.listdir(os.path.join(ROOT, "deploy/systemd"))]
    for path in ["deploy/README.md", "deploy/packaging/coordinator.conf", *units]:
        for name in re.findall(r"\bATOLL_[A-Z_]*[A-Z]\b", read(path)):
            want(name in known, f"{path}: there is no option {name}")


kubernetes(sys.argv[1], sys.argv[2])
compose()
image()
texts()
print("\n".join(wrong), end="")
sys.exit(bool(wrong))
