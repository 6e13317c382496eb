// Source as coloured pieces of text.  highlight.js finds the tokens; what is shown are text nodes, never its HTML.
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import clojure from "highlight.js/lib/languages/clojure";
import cmake from "highlight.js/lib/languages/cmake";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import dart from "highlight.js/lib/languages/dart";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import elixir from "highlight.js/lib/languages/elixir";
import erlang from "highlight.js/lib/languages/erlang";
import go from "highlight.js/lib/languages/go";
import graphql from "highlight.js/lib/languages/graphql";
import groovy from "highlight.js/lib/languages/groovy";
import haskell from "highlight.js/lib/languages/haskell";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import lua from "highlight.js/lib/languages/lua";
import makefile from "highlight.js/lib/languages/makefile";
import markdown from "highlight.js/lib/languages/markdown";
import nginx from "highlight.js/lib/languages/nginx";
import objectivec from "highlight.js/lib/languages/objectivec";
import ocaml from "highlight.js/lib/languages/ocaml";
import perl from "highlight.js/lib/languages/perl";
import php from "highlight.js/lib/languages/php";
import powershell from "highlight.js/lib/languages/powershell";
import protobuf from "highlight.js/lib/languages/protobuf";
import python from "highlight.js/lib/languages/python";
import r from "highlight.js/lib/languages/r";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import scala from "highlight.js/lib/languages/scala";
import scss from "highlight.js/lib/languages/scss";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

const grammars = {
	bash, c, clojure, cmake, cpp, csharp, css, dart, dockerfile, elixir, erlang, go, graphql, groovy, haskell, ini, java, javascript, json, kotlin, lua, makefile, markdown,
	nginx, objectivec, ocaml, perl, php, powershell, protobuf, python, r, ruby, rust, scala, scss, sql, swift, typescript, xml, yaml,
};
for (const [name, grammar] of Object.entries(grammars)) hljs.registerLanguage(name, grammar);

/** Which grammar shows a file: by its whole name, else by what follows its last dot.  Those that are not here are plain text. */
const byEnding: Record<string, keyof typeof grammars> = {
	sh: "bash", zsh: "bash", ksh: "bash", bats: "bash", h: "c", clj: "clojure", cljs: "clojure", cljc: "clojure", edn: "clojure", cc: "cpp", cxx: "cpp", "c++": "cpp", hh: "cpp", hpp: "cpp",
	hxx: "cpp", inl: "cpp", ipp: "cpp", cu: "cpp", cuh: "cpp", cs: "csharp", csx: "csharp", less: "scss", sass: "scss", ex: "elixir", exs: "elixir", erl: "erlang", hrl: "erlang", gql: "graphql",
	graphqls: "graphql", gradle: "groovy", hs: "haskell", toml: "ini", cfg: "ini", conf: "ini", properties: "ini", env: "ini", js: "javascript", jsx: "javascript", mjs: "javascript",
	cjs: "javascript", kt: "kotlin", kts: "kotlin", mk: "makefile", md: "markdown", mdx: "markdown", m: "objectivec", mm: "objectivec", ml: "ocaml", mli: "ocaml", pl: "perl", pm: "perl", phtml: "php",
	ps1: "powershell", psm1: "powershell", proto: "protobuf", py: "python", pyi: "python", pyw: "python", rb: "ruby", rake: "ruby", gemspec: "ruby", ru: "ruby", rs: "rust", sc: "scala", sbt: "scala",
	ts: "typescript", mts: "typescript", cts: "typescript", tsx: "typescript", html: "xml", htm: "xml", xhtml: "xml", vue: "xml", svelte: "xml", astro: "xml", csproj: "xml", props: "xml", targets: "xml",
	svg: "xml", xsd: "xml", wsdl: "xml", yml: "yaml", tf: "ini", hcl: "ini",
};
const byName: Record<string, keyof typeof grammars> = {
	Dockerfile: "dockerfile", Containerfile: "dockerfile", Makefile: "makefile", GNUmakefile: "makefile", makefile: "makefile", Rakefile: "ruby", Gemfile: "ruby", "CMakeLists.txt": "cmake",
	Jenkinsfile: "groovy", BUILD: "python", WORKSPACE: "python", "nginx.conf": "nginx",
};

const own = <T>(table: Record<string, T>, key: string): T | undefined => (Object.hasOwn(table, key) ? table[key] : undefined);

export function grammarOf(path: string): string | null {
	const name = path.slice(path.lastIndexOf("/") + 1);
	const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
	return own(byName, name) ?? own(byEnding, ending) ?? (Object.hasOwn(grammars, ending) ? ending : null);
}

/** A piece of a line: `kind` is a class of style.css, "" for plain text. */
export interface Piece {
	kind: string;
	text: string;
}

// highlight.js' tree of tokens; not in its types, so its version is pinned.
interface TreeNode {
	scope?: string;
	children: (TreeNode | string)[];
}

const kinds: Record<string, string> = {
	keyword: "t-keyword", literal: "t-keyword", operator: "", punctuation: "", "selector-tag": "t-keyword", section: "t-name", name: "t-name", tag: "", built_in: "t-type", type: "t-type",
	class: "t-type", title: "t-name", function: "", params: "", string: "t-string", regexp: "t-string", "template-variable": "t-type", subst: "", symbol: "t-string", char: "t-string", link: "t-string", bullet: "t-keyword",
	code: "t-string", number: "t-number", comment: "t-comment", doctag: "t-comment", quote: "t-comment", meta: "t-meta", attr: "t-attr", attribute: "t-attr", property: "t-attr", variable: "t-attr",
	"selector-class": "t-name", "selector-id": "t-name", "selector-attr": "t-attr", "selector-pseudo": "t-meta", strong: "t-name", emphasis: "", addition: "t-string", deletion: "t-number",
};

const LONG_LINE = 3000; // such lines are data; tokens in them cost more than they tell
const LONG_TEXT = 400_000;

/** The lines of a text in pieces; without a grammar each line is one. */
export function highlighted(text: string, grammar: string | null): Piece[][] {
	const plain = (): Piece[][] => text.split("\n").map((line) => [{ kind: "", text: line }]);
	if (!grammar || text.length > LONG_TEXT || text.split("\n").some((l) => l.length > LONG_LINE)) return plain();
	const lines: Piece[][] = [[]];
	const put = (node: TreeNode, kind: string): void => {
		for (const child of node.children) {
			if (typeof child !== "string") {
				put(child, own(kinds, (child.scope ?? "").split(".")[0]!) ?? kind);
				continue;
			}
			child.split("\n").forEach((part, i) => {
				if (i) lines.push([]);
				if (part) lines[lines.length - 1]!.push({ kind, text: part });
			});
		}
	};
	try {
		const done = hljs.highlight(text, { language: grammar, ignoreIllegals: true }) as unknown as { _emitter: { root: TreeNode } };
		put(done._emitter.root, "");
	} catch {
		return plain();
	}
	return lines;
}

// What questions are made of, and says nothing of what is looked for.
const fillers = new Set("the and for are was were where what when which who whom whose why how does did can could should would with without from into onto this that these those there then than not all any its our your has have had will shall".split(" "));

/** The words of a question that are marked in what was found. */
export function wordsOf(question: string): string[] {
	const words = question.split(/[^\p{L}\p{N}_$]+/u).flatMap((w) => [w, ...w.split(/_|(?<=\p{Ll})(?=\p{Lu})/u)]);
	return [...new Set(words.map((w) => w.toLowerCase()).filter((w) => w.length > 2 && !fillers.has(w)))].sort((a, b) => b.length - a.length).slice(0, 24);
}

/** A word, or a part of a name like this: enqueue_job, enqueueJob. */
const begins = (text: string, at: number): boolean => {
	const before = text[at - 1] ?? " ";
	return !/\p{L}/u.test(before) || (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(text[at]!));
};

/** Where words begin in a text that are those or longer, as [from, to), in order and apart. */
export function marksIn(text: string, words: string[]): [number, number][] {
	if (!words.length) return [];
	const any = new RegExp(words.map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "giu");
	return [...text.matchAll(any)].filter((m) => begins(text, m.index)).map((m) => [m.index, m.index + m[0].length]);
}
