"""Another client of NATS: keeps and reads values and objects, as its own library has them.

Called as `client.py ADDRESS VERB BUCKET NAME [FILE]`, where VERB is put-object, get-object, delete-object, put-value or
get-value. What is got goes to the file, what is put comes from it.
"""

import asyncio
import sys
from pathlib import Path

import nats
from nats.js.errors import BucketNotFoundError, NotFoundError


async def main(address: str, verb: str, bucket: str, name: str, file: str = "") -> None:
    connection = await nats.connect(address)
    try:
        await carry_out(connection.jetstream(), verb, bucket, name, file)
    finally:
        await connection.close()


async def carry_out(stream, verb: str, bucket: str, name: str, file: str) -> None:
    if verb.endswith("object"):
        store = await find(stream.object_store, stream.create_object_store, bucket)
    else:
        store = await find(stream.key_value, lambda bucket: stream.create_key_value(bucket=bucket), bucket)
    if verb == "put-object":
        await store.put(name, Path(file).read_bytes())
    elif verb == "get-object":
        Path(file).write_bytes((await store.get(name)).data or b"")
    elif verb == "delete-object":
        await store.delete(name)
    elif verb == "put-value":
        await store.put(name, Path(file).read_bytes())
    elif verb == "get-value":
        Path(file).write_bytes((await store.get(name)).value or b"")
    else:
        raise SystemExit(f"{verb} is no verb")


async def find(existing, new, bucket: str):
    """The bucket, made where it isn't there yet."""
    try:
        return await existing(bucket)
    except (BucketNotFoundError, NotFoundError):
        return await new(bucket)


asyncio.run(main(*sys.argv[1:]))
