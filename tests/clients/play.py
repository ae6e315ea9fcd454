"""What the clients of PyPI share: they play the steps that steps.py has."""

import json
import sys

import anyio

# What a user would answer to an elicitation.
OSLO = {"action": "accept", "content": {"city": "Oslo"}}


async def together(client, step, call) -> list[dict]:
    """What the calls of a step come to, all of them at the same time."""
    outcomes = [None] * len(step)

    async def put(place, order):
        outcomes[place] = await call(client, **order)

    async with anyio.create_task_group() as calls:
        for place, order in enumerate(step):
            calls.start_soon(put, place, order)
    return outcomes


def plain(model) -> dict:
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


def main(play) -> None:
    orders = json.load(sys.stdin)
    print(json.dumps(anyio.run(lambda: play(**orders))))
