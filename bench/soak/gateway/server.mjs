// A server of the gateway soak. Arguments: its name, and a folder where it writes a line for each call ("run VALUE") and each cancellation
// ("cancelled VALUE"). Tools: "echo" answers after `ms`; "report" reports `times` times first; "wait" reports and never answers; "exit"
// exits; "hang" blocks for `ms`, then exits.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

import { say, serveTools } from '../../../e2e/servers/mcp-server.mjs'

const [, , own, folder] = process.argv
const file = join(folder, `${own}-${process.pid}.log`)
const note = (line) => appendFileSync(file, `${line}\n`)
const REPORT_EVERY_MS = 2_000
const waiting = new Map()

/** Identifies the source of each answer and report. */
const signed = (value) => JSON.stringify({ of: own, value, pid: process.pid })

function answer(id, value, size = 0) {
  const texts = [signed(value), 'x'.repeat(size)]
  say({ id, result: { content: texts.map((text) => ({ type: 'text', text })) } })
}

function report(meta, value, progress) {
  const { progressToken } = meta ?? {}
  const params = { progressToken, progress, message: signed(value) }
  say({ method: 'notifications/progress', params })
}

const TOOLS = {
  echo: ({ id }, { value, ms = 0, size = 0 }) => {
    if (ms === 0) answer(id, value, size)
    else setTimeout(() => answer(id, value, size), ms)
  },
  report: ({ id, meta }, { value, times }) => {
    for (let progress = 1; progress <= times; progress += 1) report(meta, value, progress)
    answer(id, value)
  },
  wait: ({ id, meta }, { value }) => {
    let progress = 0
    const reportAgain = () => report(meta, value, (progress += 1))
    reportAgain()
    // Its caller cancels it, no deadline does.
    waiting.set(id, { value, reporting: setInterval(reportAgain, REPORT_EVERY_MS) })
  },
  exit: () => {
    process.stderr.write('Asked to exit\n')
    process.exit(3)
  },
  hang: (_request, { ms }) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
    process.exit(4)
  },
}

serveTools(
  Object.keys(TOOLS).map((name) => ({ name })),
  {
    takesOver: ({ id, method, params }) => {
      const given = method === 'notifications/cancelled' && waiting.get(params.requestId)
      if (given) {
        note(`cancelled ${given.value}`)
        clearInterval(given.reporting)
        waiting.delete(params.requestId)
      }
      if (method !== 'tools/call') return false
      const { name, arguments: args, _meta: meta } = params
      note(`run ${args.value}`)
      TOOLS[name]({ id, meta }, args)
      return true
    },
  },
)
