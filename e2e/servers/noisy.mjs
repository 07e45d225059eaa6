// Prints a banner and a colored line to stdout, where only messages belong, then works.
import { serveTools } from './mcp-server.mjs'

process.stdout.write('Welcome to the noisy server\n')
process.stdout.write('\u001b[32mlistening\u001b[0m\n')
serveTools([{ name: 'hum', call: () => 'hm' }])
