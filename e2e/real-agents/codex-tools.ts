import { createInterface } from 'node:readline'

import type { AppRun } from './published-app'

const SENT_MESSAGES = [
  {
    id: 1,
    method: 'initialize',
    params: {
      clientInfo: { name: 'test', version: '1' },
      capabilities: { experimentalApi: true },
    },
  },
  { id: 2, method: 'mcpServerStatus/list', params: { detail: 'full' } },
]

/** Codex's report of its servers to an editor: `codex app-server` starts them, `codex mcp list` doesn't. */
export async function codexTools(run: AppRun): Promise<string> {
  const child = run.start(['app-server'], 'pipe')
  const { stdin, stdout, stderr } = child
  if (!stdin || !stdout) throw new Error('Codex has no stdin and stdout.')
  stderr?.resume()
  const say = (at: number): void => void stdin.write(`${JSON.stringify(SENT_MESSAGES[at])}\n`)
  say(0)
  try {
    for await (const line of createInterface(stdout)) {
      const { id } = JSON.parse(line) as { readonly id?: number }
      if (id === 2) return line
      if (id === 1) say(1)
    }
    throw new Error('Codex ended without an answer.')
  } finally {
    child.kill()
  }
}
