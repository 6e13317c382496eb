import path from 'node:path'
import fastifyAutoload from '@fastify/autoload'
import { FastifyInstance } from 'fastify'
export default async function serviceApp(fastify: FastifyInstance, opts) {
  fastify.register(fastifyAutoload, { dir: path.join(import.meta.dirname, 'plugins'), options: { ...opts } })
  fastify.register(fastifyAutoload, { dir: path.join(import.meta.dirname, 'routes'), autoHooks: true })
}
