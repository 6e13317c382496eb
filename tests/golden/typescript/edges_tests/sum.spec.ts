import { sum, Total } from "./sum";

test("sum", () => {
	expect(sum(1, 2)).toBe(3);
	new Total().add(1);
});
