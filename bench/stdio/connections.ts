import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'

import { Client, type StandardSchemaV1 } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

import { Harness } from '../../e2e/fixtures/harness'
import { benchCommand, benchServer, SECRET_VALUES } from './bench-server'

const CALL_LIMIT_MS = 60_000

/** A connection to the bench server that can call its tool. */
export type Connection = {
  /** Calls the tool for a text of this many MB (0: 100 bytes); resolves to the whole result. */
  readonly call: (megabytes: number) => Promise<unknown>
  readonly close: () => Promise<void>
}

/** Through the whole core, like the app. */
export async function connectCore(): Promise<Connection> {
  const harness = new Harness()
  const id = await harness.install(benchServer('works'), { values: SECRET_VALUES })
  await harness.until(id, 'ready')
  const session = harness.session(id)
  return {
    call: (megabytes) =>
      session.request('tools/call', toolCall(megabytes), { timeoutMs: CALL_LIMIT_MS }),
    close: () => harness.close(),
  }
}

/** Accepts any result, so that the SDK does no more than the others. */
const AS_IT_IS: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'bench', validate: (value) => ({ value }) },
}

/** The SDK's client over its own transport. */
export async function connectSdk(): Promise<Connection> {
  const transport = new StdioClientTransport({ ...benchCommand('works'), stderr: 'ignore' })
  const client = new Client({ name: 'bench', version: '0' })
  await client.connect(transport)
  return {
    call: (megabytes) =>
      client.request({ method: 'tools/call', params: toolCall(megabytes) }, AS_IT_IS, {
        timeout: CALL_LIMIT_MS,
      }),
    close: () => client.close(),
  }
}

/** The floor, without a client: a pipe, a list of its chunks, and one JSON.parse at the line's end. */
export async function connectRaw(): Promise<Connection> {
  const { command, args } = benchCommand('works')
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  let nextId = 0
  const ask = (method: string, params: object): Promise<unknown> => {
    const answer = readAnswer(child)
    nextId += 1
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: nextId, method, params })}\n`)
    return answer
  }
  await ask('initialize', { protocolVersion: '2025-11-25' })
  return {
    call: (megabytes) => ask('tools/call', toolCall(megabytes)),
    close: async () => {
      const exited = once(child, 'exit')
      child.stdin.end()
      await exited
    },
  }
}

function readAnswer(child: ChildProcessByStdio<Writable, Readable, null>): Promise<unknown> {
  const chunks: Buffer[] = []
  return new Promise((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      chunks.push(chunk)
      if (chunk.at(-1) !== 10) return
      child.stdout.off('data', take)
      const message = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { result?: unknown }
      if (message.result === undefined) reject(new Error('The answer has no result.'))
      else resolve(message.result)
    }
    child.stdout.on('data', take)
  })
}

function toolCall(megabytes: number): Record<string, unknown> {
  return { name: megabytes === 0 ? 'small' : 'large', arguments: { megabytes } }
}

/** Length of a result's text; throws unless it is the bench tool's result. */
export function textLength(result: unknown): number {
  const { content } = result as { content?: { text?: unknown }[] }
  const text = content?.[0]?.text
  if (typeof text !== 'string') throw new Error('This is no result of the tool.')
  return text.length
}
