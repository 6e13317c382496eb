export function apiUrl() { return 'http://users'; }
