#!/usr/bin/env python3
"""garbling_proxy.py LISTEN_PORT SHARD_PORT RPC: forwards the traffic between a coordinator and a shard over tcp://, but replaces answers to
the RPC by undecodable bytes.  A message is a length of eight bytes, the request number in four, and the body."""
import asyncio, struct, sys

rpc = bytes([0xa0 + len(sys.argv[3])]) + sys.argv[3].encode()


async def pass_on(reader, writer, change):
    try:
        writer.write(await reader.readexactly(8))       # the greeting
        while True:
            head = await reader.readexactly(8)
            message = await reader.readexactly(struct.unpack(">Q", head)[0])
            writer.write(head + change(message[:4], message[4:]))
            await writer.drain()
    except (OSError, asyncio.IncompleteReadError):
        writer.close()


async def serve(reader, writer):
    asked = set()

    def request(number, body):
        if b"\xa3rpc" + rpc in body:
            asked.add(number)
        return number + body

    def reply(number, body):
        return number + (b"\xc1" * len(body) if number in asked else body)

    there, here = await asyncio.open_connection("127.0.0.1", int(sys.argv[2]))
    await asyncio.gather(pass_on(reader, here, request), pass_on(there, writer, reply))


async def main():
    async with await asyncio.start_server(serve, "127.0.0.1", int(sys.argv[1])) as s:
        await s.serve_forever()

asyncio.run(main())
