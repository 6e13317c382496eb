// What cannot be taken back is asked for once more, with what will be lost.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface Props {
	title: string;
	children: ComponentChildren; // what is lost, and what stays
	action: string; // the word on the button
	type?: string; // has to be typed before
	busy?: boolean;
	wrong?: string | null;
	onYes: () => void;
	onNo: () => void;
}

export function Confirm({ title, children, action, type, busy, wrong, onYes, onNo }: Props): JSX.Element {
	const box = useRef<HTMLDialogElement>(null);
	const [typed, set] = useState("");
	useEffect(() => {
		box.current?.showModal();
		return () => box.current?.close();
	}, []);
	return (
		<dialog
			ref={box}
			class="confirm"
			aria-labelledby="confirm-title"
			onCancel={(e) => {
				e.preventDefault();
				onNo();
			}}
		>
			<form
				onSubmit={(e) => {
					e.preventDefault();
					onYes();
				}}
			>
				<h2 id="confirm-title">{title}</h2>
				{children}
				{type && (
					<label class="field">
						<span>
							Type <code>{type}</code> to go on
						</span>
						<input type="text" autocomplete="off" spellcheck={false} value={typed} onInput={(e) => set(e.currentTarget.value)} />
					</label>
				)}
				{wrong && (
					<p class="wrong" role="alert">
						{wrong}
					</p>
				)}
				<div class="line end">
					<button type="button" onClick={onNo}>
						Leave it
					</button>
					<button type="submit" class="danger" disabled={busy || (type !== undefined && typed !== type)}>
						{action}
					</button>
				</div>
			</form>
		</dialog>
	);
}
