import React, { useState } from "react";
import { Button, Menu } from "./ui";

interface Props {
	user: User;
	onClose(): void;
}

export function Panel({ user, onClose }: Props) {
	const [open, setOpen] = useState<boolean>(false);
	return (
		<div className={styles.panel} onClick={() => setOpen(!open)}>
			<Button label={user.name} onClick={onClose} />
			<Menu.Item icon={icon}>{user.roles.map((r) => <Role key={r.id} role={r} />)}</Menu.Item>
		</div>
	);
}

export const Lazy = React.memo(Panel);
