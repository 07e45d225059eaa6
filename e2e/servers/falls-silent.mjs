// Works until its tool "hush" was called: it responds to that call, and to nothing afterwards. It still exits at the end of stdin.
import { serveTools } from './mcp-server.mjs'

let isSilent = false
const hush = () => {
  setImmediate(() => (isSilent = true))
  return 'Not a word from now on'
}
serveTools([{ name: 'hush', call: hush }], { takesOver: () => isSilent })
