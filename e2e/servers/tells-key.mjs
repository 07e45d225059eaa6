// Works, and returns its key: on stderr at the start, and at each call of its tool.
import { serveTools } from './mcp-server.mjs'

const tell = () => process.stderr.write(`the key itself: ${process.env.API_KEY ?? ''}.\n`)
tell()
serveTools([{ name: 'tell', call: tell }])
