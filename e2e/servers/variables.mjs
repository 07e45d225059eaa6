// A server that returns its variables and what it can fetch, and writes its proxy to stderr.
import { serveTools } from './mcp-server.mjs'

process.stderr.write(`proxy is ${process.env.HTTPS_PROXY}\n`)
const fetched = await fetch('https://bundles.packages.invalid/file').then(
  (response) => response.text(),
  (error) => String(error),
)
serveTools([
  { name: 'environment', call: () => process.env },
  { name: 'fetch', call: () => fetched },
])
