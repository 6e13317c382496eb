// The views: THE table.  Each is a piece of its own that is loaded when it is opened; its path has a row in coordinator/api/routes.def.
import type { ComponentType } from "preact";

export interface View {
	path: string;
	title: string;
	load: () => Promise<{ default: ComponentType }>;
	right?: "write" | "govern"; // who lacks it is not led there
	wide?: true; // takes the whole width of the window
}

export const views: View[] = [
	{ path: "/", title: "Overview", load: () => import("./views/overview") },
	{ path: "/graph", title: "Graph", load: () => import("./views/graph") },
	{ path: "/contracts", title: "Contracts", load: () => import("./views/contracts") },
	{ path: "/search", title: "Search", load: () => import("./views/search") },
	{ path: "/code", title: "Code", load: () => import("./views/code") },
	{ path: "/packages", title: "Packages", load: () => import("./views/packages") },
	{ path: "/operations", title: "Operations", load: () => import("./views/operations") },
	{ path: "/connect", title: "Connect", load: () => import("./views/connect") },
];
