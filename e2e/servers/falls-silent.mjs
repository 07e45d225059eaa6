// Works until its tool "hush" was called: that is answered, and nothing after it. It still ends with its input.
import { serveTools } from './mcp-server.mjs'

let isSilent = false
const hush = () => {
  setImmediate(() => (isSilent = true))
  return 'Not a word from now on'
}
serveTools([{ name: 'hush', call: hush }], { takesOver: () => isSilent })
