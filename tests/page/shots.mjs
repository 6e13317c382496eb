// Which pictures `make shots` takes, each light and dark, on a desktop and a phone: build/shots/NAME-light-desktop.png.
//   path: of the page, or async (t) => path; ready: a selector to wait for; before: async (page, t), what is done first; options: of t.open
export default [
	{ name: "overview", path: "/", ready: "table.repos td" },
	{ name: "connect", path: "/connect", ready: ".copy" },
];
