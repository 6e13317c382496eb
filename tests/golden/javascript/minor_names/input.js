// Names that nothing declares: globals of a script, members that a function gives to its object.
TideDefaults = { unit: 'm' };
window.TideApi = new TideClient();

function Toolbar(spot) {
	spot = { left: 0 };
	this.editTab = new Tab('Edit');
	counter = 1;
	other.length = 0;
	editor.modes['tide'] = {};
}

class Gauge {
	constructor() {
		this.level = 1;
	}
}
