// Doing something, telling what came of it, and who may.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { ApiError, call, token } from "../api";
import { byUri, may } from "../live";
import { Failure } from "../parts/basics";

export const nameOf = (uri: string): string => byUri.value.get(uri)?.name ?? uri;
export const words = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

export interface Doing {
	busy: boolean;
	error: ApiError | null;
	said: ComponentChildren;
	run: <T>(tool: string, args: object, done?: (answer: T) => ComponentChildren) => Promise<T | null>;
	forget: () => void;
}

/** Call a tool that changes something; what came of it is told by `Told`. */
export function useDoing(): Doing {
	const [state, set] = useState<{ busy: boolean; error: ApiError | null; said: ComponentChildren }>({ busy: false, error: null, said: null });
	return {
		...state,
		forget: () => set({ busy: false, error: null, said: null }),
		run: async (tool, args, done) => {
			set({ busy: true, error: null, said: null });
			try {
				const answer = await call<never>(tool, args);
				set({ busy: false, error: null, said: done?.(answer) ?? null });
				return answer;
			} catch (e) {
				const error = e instanceof ApiError ? e : new ApiError({ code: "INTERNAL", message: String(e) });
				set({ busy: false, error, said: null });
				return null;
			}
		},
	};
}

export function Told({ d }: { d: Doing }): JSX.Element {
	return (
		<div role="status" class="told">
			{d.error && <Failure error={d.error} />}
			{d.said && <p class="note ok">{d.said}</p>}
		</div>
	);
}

/** Who lacks the right is told which one, in place of buttons that would fail. */
export function Needs({ right, what }: { right: "write" | "govern"; what: string }): JSX.Element | null {
	if (may(right)) return null;
	return (
		<p class="note">
			{token() ? "This token" : "Requests without a token"} may not {what}:{" "}
			{right === "govern" ? "that needs an unlimited token (created without --group, --repo, --visibility and --read-only)." : "that needs a token created without --read-only."}
		</p>
	);
}

export function Field({ label, hint, children }: { label: string; hint?: string; children: ComponentChildren }): JSX.Element {
	return (
		<label class="field">
			<span>{label}</span>
			{children}
			{hint && <small class="muted">{hint}</small>}
		</label>
	);
}

export const textBox = (name: string, more: { placeholder?: string; required?: boolean } = {}): JSX.Element => <input type="text" name={name} autocomplete="off" spellcheck={false} {...more} />;

/** The fields of a form by name. */
export function fields(e: Event): { get: (name: string) => string; on: (name: string) => boolean; reset: () => void } {
	e.preventDefault();
	const form = e.currentTarget as HTMLFormElement;
	const data = new FormData(form);
	return { get: (n) => String(data.get(n) ?? "").trim(), on: (n) => data.has(n), reset: () => form.reset() };
}
