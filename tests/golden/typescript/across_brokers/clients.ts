import Redis from 'ioredis';
import { Kafka } from 'kafkajs';

export const cache = new Redis();
export const kafka = new Kafka({ brokers: [] });
export const events = kafka.producer();
