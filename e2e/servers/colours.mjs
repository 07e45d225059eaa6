// Writes colored, hostile and very long lines to stderr, like real tools, then works.
import { serveTools } from './mcp-server.mjs'

const say = (line) => process.stderr.write(`${line}\n`)
const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']

for (const [index, name] of NAMES.entries()) {
  say(`ink \u001b[${30 + index}m${name}\u001b[0m and \u001b[${90 + index}mbright ${name}\u001b[m`)
  say(
    `ground \u001b[${40 + index};30m ${name} \u001b[0m and \u001b[${100 + index};97m bright \u001b[m`,
  )
}
say(
  '\u001b[1mbold\u001b[22m \u001b[2mdim\u001b[22m \u001b[3mitalic\u001b[23m \u001b[4munderlined\u001b[0m',
)
say('\u001b[7mturned\u001b[0m \u001b[8mconcealed\u001b[0m \u001b[30;40mblack on black\u001b[0m')
say('\u001b[31mERROR\u001b[0m cannot read \u001b[36mconfig.json\u001b[0m: \u001b[2mENOENT\u001b[0m')
say('\u001b[33mWARN\u001b[0m the flag \u001b[1m--old\u001b[0m is deprecated')
say('\u001b]8;;http://127.0.0.1/\u001b\\a link\u001b]8;;\u001b\\ and \u001b[2Kno cursor')
say(`long ${'0123456789'.repeat(2_000)} end`)
if (process.env.PAINTER_KEY) say(`the key is \u001b[32m${process.env.PAINTER_KEY}\u001b[0m`)
say('last of them')
serveTools([{ name: 'paint', call: () => 'done' }])
