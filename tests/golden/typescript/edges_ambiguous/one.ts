export class One {
	close() {}
	unique() {}
}
