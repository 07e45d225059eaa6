"""The official client of Python, of version 1 or 2: asks what argv[1] (JSON) says, and prints each outcome as a line of JSON."""

import asyncio
import json
import sys
from contextlib import asynccontextmanager

options = json.loads(sys.argv[1])

try:
    from mcp import Client  # version 2
except ImportError:
    Client = None
from mcp import StdioServerParameters
from mcp.client.stdio import stdio_client


def parameters():
    program = options["program"]
    return StdioServerParameters(command=program["command"], args=program["args"], env=program.get("env"))


@asynccontextmanager
async def opened():
    if Client is None:
        from mcp import ClientSession
        from mcp.client.streamable_http import streamablehttp_client

        transport = (
            stdio_client(parameters())
            if "program" in options
            else streamablehttp_client(options["url"], headers=options["headers"])
        )
        async with transport as (read, write, *_), ClientSession(read, write) as session:
            await session.initialize()
            yield session
        return
    if "program" in options:
        async with Client(parameters(), mode=options["mode"], cache=None) as client:
            yield client
        return
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    async with httpx2.AsyncClient(headers=options["headers"], timeout=60) as http:
        target = streamable_http_client(options["url"], http_client=http)
        async with Client(target, mode=options["mode"], cache=None) as client:
            yield client


def ask(client, method, params):
    if method == "tools/list":
        return client.list_tools()
    if method == "prompts/list":
        return client.list_prompts()
    if method == "resources/list":
        return client.list_resources()
    if method == "resources/templates/list":
        return client.list_resource_templates()
    if method == "tools/call":
        return client.call_tool(params["name"], params.get("arguments"))
    if method == "prompts/get":
        return client.get_prompt(params["name"], params.get("arguments"))
    if method == "resources/read":
        return client.read_resource(params["uri"])
    raise ValueError(method)


async def main():
    async with opened() as client:
        for asked in options["requests"]:
            try:
                result = await asyncio.wait_for(ask(client, asked["method"], asked.get("params", {})), 15)
                outcome = {"result": result.model_dump(mode="json", by_alias=True, exclude_none=True)}
            except (asyncio.TimeoutError, TimeoutError):
                outcome = "nothing"
            except Exception as error:
                code = getattr(getattr(error, "error", None), "code", getattr(error, "code", None))
                outcome = {"error": {"code": code, "message": str(error)}}
            print(json.dumps(outcome), flush=True)


asyncio.run(main())
