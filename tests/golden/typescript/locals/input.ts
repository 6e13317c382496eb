function work({ id, user: { name }, ...rest }: Props, [head]: Item[], n = limit(), opt?: Opt) {
	const a: Foo = make(), b = new Bar<string>();
	let c = a.b?.c ?? new Other();
	const { x, y: z = fallback } = b.pair();
	const [state, setState] = useState(1);
	for (const item of a.items()) item.touch();
	for (const key in a) key.go();
	try {
		c = b;
	} catch (e) {
		e.go();
	}
	const f = (g: Gee) => g.go(a);
	const cast = <Kind>n;
	const self = this;
	self.run(x, z, state, setState, opt, head, name, id, rest, f, cast);
}

const shared = work(null);

describe("it", () => {
	const local = shared.make();
	local.go();
});
