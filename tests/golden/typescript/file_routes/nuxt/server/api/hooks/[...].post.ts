export default defineEventHandler(async (event) => save(await readBody(event)));
