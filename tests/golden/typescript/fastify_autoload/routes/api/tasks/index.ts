import { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
const plugin: FastifyPluginAsyncTypebox = async (fastify) => { fastify.get('/:id', async () => ({})); fastify.post('/', {schema:{}}, async () => ({})) }
export default plugin
