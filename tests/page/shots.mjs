// Which pictures `make shots` takes, each light and dark, on a desktop and a phone: build/shots/NAME-light-desktop.png.
//   path: of the page, or async (t) => path; ready: a selector to wait for; before: async (page, t), what is done first; options: of t.open
export default [
	{ name: "overview", path: "/", ready: "table.repos td" },
	{ name: "graph", path: "/graph", ready: ".canvas[data-state=still]" },
	{
		name: "graph-line",
		path: async (t) => {
			const { edges } = await t.call("repo_graph", { group: "shop" });
			const most = edges.sort((a, b) => b.relations[0].links - a.relations[0].links)[0];
			return `/graph?${new URLSearchParams({ from: most.source, to: most.target })}`;
		},
		ready: ".contracts > li",
		before: (page) => page.locator(".canvas[data-state=still]").waitFor(),
	},
	{ name: "graph-list", path: "/graph?as=list", ready: ".lists td" },
	{ name: "contracts", path: "/contracts", ready: ".contract-rows td" },
	{ name: "contracts-unresolved", path: "/contracts?list=unresolved", ready: ".contract-rows td" },
	{ name: "connect", path: "/connect", ready: ".copy" },
];
