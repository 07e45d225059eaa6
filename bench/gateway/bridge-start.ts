import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'

import type { BenchPart } from '../measure/bench'
import { medianRatio } from '../measure/median'
import { interleave, type Side, timed } from '../measure/rounds'
import { type Bar, toRow } from '../measure/row'
import { openPatchbay } from './patchbay-target'

const OUT_DIR = process.env.PATCHBAY_OUT_DIR ?? resolve('out')
const ROUND_LIMIT_MS = 30_000
/** Process starts vary much and are short, so there are more of them. */
const ROUNDS_MORE = 2

const BAR: Bar = { metric: 'bridge-first-answer-vs-node-e-0', unit: 'x', op: '<=', bar: 3 }

/** Time from the start of `patchbay bridge` to its answer to `initialize`, against a Node that does nothing. */
export const bridgeStart: BenchPart = async ({ rounds }) => {
  const target = await openPatchbay()
  const { profileDir, headers } = target
  const key = headers[0]?.authorization?.replace('Bearer ', '') ?? ''
  try {
    const sides = { ours: bridge(profileDir, key), node: emptyNode }
    const plan = { rounds: rounds * ROUNDS_MORE, limitMs: ROUND_LIMIT_MS }
    const seen = await interleave(sides, plan)
    return [{ row: toRow(BAR, medianRatio(seen.ours, seen.node)), rounds: seen, roundUnit: 'ms' }]
  } finally {
    await target.close()
  }
}

const emptyNode: Side = () => timed(() => once(spawn(process.execPath, ['-e', '0']), 'exit'))

function bridge(profileDir: string, key: string): Side {
  const args = [join(OUT_DIR, 'main/cli.js'), 'bridge', '--agent', 'x', '--profile', profileDir]
  const env = { ...process.env, PATCHBAY_AGENT_KEY: key }
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  }
  const hello = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
  return async () => {
    const begin = performance.now()
    const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
    child.stdin.write(`${hello}\n`)
    const answer = await firstLine(child)
    const took = performance.now() - begin
    child.stdin.end()
    await once(child, 'exit')
    // The bridge's own answer would be faster than the gateway's.
    if (!answer.includes('"instructions"')) throw new Error(`Not from the gateway: ${answer}`)
    return took
  }
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  let text = ''
  while (!text.includes('\n')) {
    const [chunk] = (await once(stdout ?? process.stdin, 'data')) as [Buffer]
    text += chunk.toString()
  }
  return text
}
