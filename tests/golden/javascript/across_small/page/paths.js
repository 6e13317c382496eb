export const ITEMS = '/page/items';
