export default defineEventHandler((event) => ({ id: 1 }));
