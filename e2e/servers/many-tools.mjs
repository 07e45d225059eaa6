// Lists argv[2] tools in one response.
import { serveTools } from './mcp-server.mjs'

const tools = Array.from({ length: Number(process.argv[2]) }, (_, index) => ({
  name: `tool_${index}`,
  description: `Does the ${index}th of many things, in words that an agent can choose by. `.repeat(
    3,
  ),
  call: () => index,
}))
serveTools(tools)
