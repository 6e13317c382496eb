// Light or dark, as the system has it or as was chosen here.
import { effect, signal } from "@preact/signals";

export type Theme = "auto" | "light" | "dark";
const KEY = "atoll.theme";
const themes: Theme[] = ["auto", "light", "dark"];

const stored = (): Theme => {
	try {
		return themes.find((t) => t === localStorage.getItem(KEY)) ?? "auto";
	} catch {
		return "auto"; // storage is forbidden here
	}
};

export const theme = signal<Theme>(stored());

const system = matchMedia("(prefers-color-scheme: dark)");
const systemDark = signal(system.matches);
system.addEventListener("change", () => (systemDark.value = system.matches));

/** Whether it is dark now: for what is painted on a canvas, which must be painted anew then. */
export const isDark = (): boolean => (theme.value === "auto" ? systemDark.value : theme.value === "dark");

effect(() => {
	if (theme.value === "auto") delete document.documentElement.dataset.theme;
	else document.documentElement.dataset.theme = theme.value;
	try {
		localStorage.setItem(KEY, theme.value);
	} catch {
		// it holds until the page is closed
	}
});

export const nextTheme = (): void => {
	theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length]!;
};

/** A colour of style.css as the browser has worked it out (`rgb(…)`), for canvases: colour("--accent"). */
export function colour(name: string): string {
	const probe = document.createElement("span");
	probe.hidden = true;
	probe.style.color = `var(${name})`;
	document.body.append(probe);
	const value = getComputedStyle(probe).color;
	probe.remove();
	return value;
}
