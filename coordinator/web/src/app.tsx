// The frame of all views: where one is, whether what is shown is still so, and who asks.
import { signal } from "@preact/signals";
import type { ComponentType, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { refused, setToken, token } from "./api";
import { isFree } from "./keys";
import { failure, listenAnew, live, may, status } from "./live";
import { Busy, Empty, Failure } from "./parts/basics";
import { Link, path } from "./router";
import { nextTheme, theme } from "./theme";
import { type View, views } from "./views";

void views.find((v) => v.path === path.value)?.load().catch(() => undefined); // on its way before it is asked for
const asking = signal(false); // for a token, without need
const current = (): View | undefined => views.find((v) => v.path === path.value);

function Nav(): JSX.Element {
	const at = path.value;
	useEffect(() => document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" }), [at]); // on a phone it may be out of sight
	return (
		<nav aria-label="Views">
			{views
				.filter((v) => !v.right || may(v.right))
				.map((v) => (
					<Link key={v.path} href={v.path} aria-current={v.path === path.value ? "page" : undefined}>
						{v.title}
					</Link>
				))}
		</nav>
	);
}

const states = { connecting: "connecting", live: "live", lost: "lost", denied: "no access" } as const;

function Header(): JSX.Element {
	const { state } = live.value;
	return (
		<header class="top">
			<Link href="/" class="brand" aria-label="Atoll, overview">
				<svg viewBox="0 0 32 32" aria-hidden="true">
					<g fill="none" stroke="currentColor" stroke-width="3.4" stroke-linecap="round">
						<path d="M16 5a11 11 0 0 1 9.500 5.500" />
						<path d="M27 16a11 11 0 0 1-8.600 10.700" />
						<path d="M12.600 26.500A11 11 0 0 1 6.200 11" />
					</g>
					<circle cx="16" cy="16" r="3.600" fill="currentColor" />
				</svg>
				<span>Atoll</span>
			</Link>
			<Nav />
			<span class={`state ${state}`} role="status" title={status.value ? `atoll ${status.value.version}` : undefined}>
				{states[state]}
			</span>
			{(token() || status.value?.tokens || state === "denied") && (
				<button type="button" class="quiet" onClick={() => (asking.value = !asking.value)}>
					Token
				</button>
			)}
			<button type="button" class="quiet" onClick={nextTheme} title="Light, dark, or the system's theme" aria-label={`Theme: ${theme.value}`}>
				{theme.value === "auto" ? "◐" : theme.value === "light" ? "○" : "●"}
			</button>
		</header>
	);
}

/** The coordinator is lost, or back. */
function Banner(): JSX.Element | null {
	const { state, since, back } = live.value;
	const [told, tell] = useState(0);
	useEffect(() => {
		if (!back) return undefined;
		tell(since);
		const timer = setTimeout(() => tell(0), 5000);
		return () => clearTimeout(timer);
	}, [since, back]);
	if (state === "lost")
		return (
			<p class="banner bad" role="alert">
				The coordinator has been unreachable since {new Date(since).toLocaleTimeString()}. The page shows the last known state and reconnects automatically.
			</p>
		);
	if (told === since && back)
		return (
			<p class="banner ok" role="status">
				The coordinator is back.
			</p>
		);
	return null;
}

/** Where the token is entered.  It is in no URL, and forgotten with the tab. */
function TokenEntry(): JSX.Element {
	const box = useRef<HTMLInputElement>(null);
	useEffect(() => box.current?.focus(), []);
	const enter = (t: string): void => {
		setToken(t);
		asking.value = false;
		listenAnew();
	};
	return (
		<form
			class="panel token"
			onSubmit={(e) => {
				e.preventDefault();
				enter(box.current!.value.trim());
			}}
		>
			<h2>{refused.value && token() ? "This token is not valid" : "Who are you?"}</h2>
			<p class="muted">
				This coordinator wants a token. It is kept in this tab until that is closed, and sent to nobody else. <code>atoll token create --name NAME</code> makes one.
			</p>
			<div class="line">
				<input ref={box} type="password" name="token" aria-label="Token" autocomplete="off" spellcheck={false} required />
				<button type="submit" class="main">
					Enter
				</button>
				{token() && (
					<button type="button" onClick={() => enter("")}>
						Forget it
					</button>
				)}
			</div>
			{refused.value && token() && <p class="wrong">{refused.value}</p>}
		</form>
	);
}

function Body(): JSX.Element {
	const view = current();
	const [loaded, set] = useState<{ view: View; body: ComponentType } | { view: View; error: unknown } | null>(null);
	useEffect(() => {
		document.title = view ? `${view.title} · Atoll` : "Atoll";
		if (view) view.load().then((m) => set({ view, body: m.default }), (error: unknown) => set({ view, error }));
	}, [view]);
	if (refused.value) return <TokenEntry />;
	if (live.value.state === "denied" && failure.value) return <Failure error={failure.value} again={listenAnew} />;
	if (!view)
		return (
			<Empty title="This page does not exist">
				<Link href="/">Go to the overview</Link>
			</Empty>
		);
	if (loaded?.view !== view) return <Busy />;
	if ("error" in loaded)
		return (
			<Empty title="This view could not be loaded">
				The coordinator may be another version by now. <a href={path.value}>Reload the page</a>
			</Empty>
		);
	return <loaded.body />;
}

/** `/` goes to the first filter. */
function onKey(e: KeyboardEvent): void {
	if (e.key !== "/" || !isFree(e)) return;
	const box = document.querySelector<HTMLElement>("[data-slash]");
	if (box) {
		e.preventDefault();
		box.focus();
	}
}

export function App(): JSX.Element {
	useEffect(() => addEventListener("keydown", onKey), []);
	return (
		<>
			<a class="skip" href="#main" onClick={(e) => (e.preventDefault(), document.getElementById("main")?.focus())}>
				To the content
			</a>
			<Header />
			<Banner />
			<main id="main" tabIndex={-1} class={current()?.wide ? "wide" : ""}>
				{asking.value && !refused.value && <TokenEntry />}
				<Body />
			</main>
		</>
	);
}

