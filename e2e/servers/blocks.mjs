// Has one tool, which blocks its only thread for `ms`, so that it responds to nothing else.
import { serveTools } from './mcp-server.mjs'

serveTools([
  {
    name: 'block',
    call: ({ ms }) => {
      const end = performance.now() + ms
      while (performance.now() < end);
      return 'done'
    },
  },
])
