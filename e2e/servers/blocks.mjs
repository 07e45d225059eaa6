// Has one tool, which keeps its only thread busy for `ms`, so that it answers nothing else meanwhile.
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
