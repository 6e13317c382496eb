// Members of prototypes that are no functions, and defaults in patterns.
function Editor() {}
Editor.prototype.STEPS = 8;
Editor.prototype.selectEnd = Editor.prototype.selectLine;
(function () {
	Text.prototype.EOL_CHAR = "\n";
	page.chart = new Chart(options);
	page.title = text;
})();
function padding(values) {
	const [top, right = top] = values;
	return defaults(right, (size = 1) => size);
}
