export function oldTable() {}
export function drawTable() {}
export function render() {}
