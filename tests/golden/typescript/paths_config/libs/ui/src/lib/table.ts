export function drawTable() {}
