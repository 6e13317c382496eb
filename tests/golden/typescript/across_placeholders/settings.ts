const settings = {
	root: 'unset',
	debug: false,
	...window.settings,
};

export const service = 'TODO';
export const area = 'tree';
export const version = 'v2';

export function get(key: string) {
	return settings[key];
}
