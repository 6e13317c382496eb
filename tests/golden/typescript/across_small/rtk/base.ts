export const BASE = '/rtk';
