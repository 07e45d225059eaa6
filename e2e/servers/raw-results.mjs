// Returns the JSON texts of the file argv[2] unchanged: {"lists": {"tools/list": "{...}"}, "results": {"TOOL": "{...}"}}. Results are
// found by the requested name or address, else by the method; "errors" take precedence. The "logs" of a tool are sent before its response
// (the data of a log message). A tool without a text returns the line of its request.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const {
  lists = {},
  results = {},
  errors = {},
  logs = {},
} = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const EMPTY = {
  'tools/list': '{"tools":[]}',
  'resources/list': '{"resources":[]}',
  'prompts/list': '{"prompts":[]}',
}
const REFUSAL = '"error":{"code":-32601,"message":"Method not found"}'

/** The member of the answer that tells its outcome, as text. */
function outcomeOf({ method, params }, line) {
  if (method === 'ping') return '"result":{}'
  if (method === 'initialize') {
    const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} }
    const { protocolVersion } = params
    const serverInfo = { name: 'raw', version: '1' }
    return `"result":${JSON.stringify({ protocolVersion, capabilities, serverInfo })}`
  }
  const error = errors[params?.name ?? params?.uri]
  if (error !== undefined) return `"error":${error}`
  const echo = JSON.stringify({ content: [{ type: 'text', text: line }] })
  const any = method === 'tools/call' ? echo : (lists[method] ?? results[method] ?? EMPTY[method])
  const result = results[params?.name ?? params?.uri] ?? any
  return result === undefined ? REFUSAL : `"result":${result}`
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, ...request } = JSON.parse(line)
    if (id === undefined) return
    const data = logs[request.params?.name]
    if (data !== undefined) {
      const log = `"method":"notifications/message","params":{"level":"info","data":${data}}`
      process.stdout.write(`{"jsonrpc":"2.0",${log}}\n`)
    }
    process.stdout.write(
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${outcomeOf(request, line)}}\n`,
    )
  })
  .on('close', () => process.exit(0))
