"""help.py man|completion PROGRAM [SECTION]: a manual page, or completion for bash, out of what PROGRAM --help prints."""
import os
import re
import subprocess
import sys

WIDTH = 30      # of the left column, proto/process/options.c


def ask(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def rows(text):
    """Lines `  left  right` of a help text, by their left column; it may be wider when one word follows the flag."""
    for line in text.splitlines():
        if not line.startswith("  ") or line.startswith("   "):
            continue
        long = re.match(r"  (--[a-z0-9-]+ [A-Z|:]+) (.*)", line)
        if len(line) > WIDTH + 2 and line[WIDTH + 2] == " ":
            yield line[2:WIDTH + 2].strip(), line[WIDTH + 3:].strip()
        elif long:
            yield long[1], long[2]
        else:       # of a command
            left, _, right = line[2:].partition("  ")
            yield left.strip(), right.strip()


def options(text):
    return [r for r in rows(text) if r[0].startswith(("--", "(environment"))]


def commands(program, text):
    """[words, arguments, summary, options] of each command that the program lists."""
    found = []
    for left, right in rows(text):
        m = re.match(re.escape(os.path.basename(program)) + r"((?: [a-z]+)+)(.*)", left)
        if m:
            words = m[1].split()
            found.append((words, m[2].strip(), right, options(ask(program, *words, "--help"))))
    return found


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def man(program, section):
    name = os.path.basename(program)
    text = ask(program, "--help")
    version = ask(program, "--version").split()[-1]
    listed = commands(program, text)
    head = text.split("\noptions:")[0].strip().splitlines()
    summary = {"1": "questions about code in many git repositories"}.get(section, "daemon of Atoll, code search over many git repositories")
    out = [f'.TH {name.upper()} {section} "" "Atoll {version}" "Atoll"', ".SH NAME", f"{roff(name)} \\- {summary}", ".SH SYNOPSIS", ".nf"]
    out += [roff(f"{name} COMMAND [OPTION]...")] if listed else [roff(line) for line in head if line.startswith(name + " ")] or [roff(f"{name} [OPTION]...")]
    out.append(".fi")
    if listed:
        out.append(".SH COMMANDS")
        for words, arguments, what, _ in listed:
            out += [".TP", f"\\fB{roff(' '.join([name] + words))}\\fR {roff(arguments)}".rstrip(), roff(what)]
    everything = dict(options(text))
    for command in listed:
        everything.update(command[3])
    out.append(".SH OPTIONS")
    if listed:
        out.append(roff("Each command accepts some of these; `atoll COMMAND --help` lists them."))
    for left, right in (sorted(everything.items()) if listed else options(text)):
        out += [".TP", f"\\fB{roff(left)}\\fR", roff(right)]
    if not listed:
        out += [".PP", roff("An option takes precedence over the environment, and the environment over the file of --config.")]
    if listed:
        last = text.strip().split("\n\n")[-1]
        out += [".SH ENVIRONMENT", roff(" ".join(last.split()))]
    out += [".SH SEE ALSO", roff(", ".join(p for p in ("atoll(1)", "atoll-coordinator(8)", "atoll-shard(8)") if not p.startswith(name + "(")))]
    return "\n".join(out) + "\n"


def flags(listed):
    return " ".join(sorted({left.split()[0] for left, _ in listed if left.startswith("--")}))


def completion(program):
    name = os.path.basename(program)
    text = ask(program, "--help")
    listed = commands(program, text)
    if not listed:
        return f"# made of {name} --help\ncomplete -o default -W '{flags(options(text))}' {name}\n"
    follow = {}
    for words, *_ in listed:
        for i, word in enumerate(words):
            follow.setdefault(" ".join(words[:i]), set()).add(word)
    tools = " ".join(re.findall(r"^([a-z_]+) ", ask(program, "call", "--help").split("\ntools:\n")[1], re.M))
    cases = [(" ".join(words), (tools + " " if words == ["call"] else "") + flags(opts)) for words, _, _, opts in listed]
    cases += [("help", " ".join(sorted(follow[""])))]
    cases += [(words, " ".join(sorted(next))) for words, next in follow.items()]
    lines = [f"# made of {name} --help", f"_{name}() {{", '\tlocal words="${COMP_WORDS[*]:1:COMP_CWORD-1}" cur=${COMP_WORDS[COMP_CWORD]}', '\tcase "$words" in']
    for words, offered in sorted(cases, key=lambda c: -len(c[0].split())):     # the longest first
        pattern = f'"{words}" | "{words} "*' if words else '""'
        lines.append(f"\t{pattern}) COMPREPLY=($(compgen -W '{offered}' -- \"$cur\")) ;;")
    return "\n".join(lines + ["\tesac", "}", f"complete -o default -F _{name} {name}"]) + "\n"


if __name__ == "__main__":
    print(man(sys.argv[2], sys.argv[3]) if sys.argv[1] == "man" else completion(sys.argv[2]), end="")
