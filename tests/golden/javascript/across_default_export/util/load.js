export default function (path) {
	return fetch(`/api/${path}`);
}
