import { Base, Named as HasName } from "./base";

export class Square extends Base<number> implements HasName {
	area() {
		return 4;
	}

	name() {
		return this.show();
	}
}

export class Big extends Square {
	area() {
		return super.area() * 2;
	}
}
