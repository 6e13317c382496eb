export const SHELVES = "/api/shelves";
