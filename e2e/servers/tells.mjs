// A server with one tool that returns how it was started: arguments, folder and the variables of a bundle's test.
import { serveTools } from './mcp-server.mjs'

const { API_KEY, VERBOSE, EXTRA } = process.env

serveTools([
  {
    name: 'tell',
    call: () => ({
      args: process.argv.slice(2),
      cwd: process.cwd(),
      env: { API_KEY, VERBOSE, EXTRA },
    }),
  },
])
