import { spawn } from 'node:child_process'
import { ServerResponse } from 'node:http'
import { resolve } from 'node:path'

import type { Harness } from '../../../e2e/fixtures/harness'
import { AgentCalls } from '../../../src-main/core/gateway/calls/agent-calls'
import type { Caller } from '../../../src-main/core/gateway/calls/agent-request'
import { AgentSession } from '../../../src-main/core/gateway/protocol/sessions'
import { AppError } from '../../../src-shared/domain/app-error'
import { MARK } from '../ten-servers'
import { type CorePlan, type Fault, FAULTS, serverName } from './core-protocol'

/** One in this many calls is broken in each way. */
const EVERY = 25
/** 24 MB each time memory is measured. */
const KEPT_NUMBERS = 3_145_728

type Send = AgentCalls['send']
type Result = Awaited<ReturnType<Send>>

/** Runs each time the core's memory is measured. */
export type AtEachLook = () => void

/** Breaks the core in this process permanently, as the plan says. */
export function breakCore({ plant, mark, folder }: CorePlan, harness: Harness): AtEachLook {
  if (plant.length === 0) return () => undefined
  const has = (fault: Fault): boolean => plant.includes(fault)
  const kept: unknown[] = []
  breakCalls(has)
  if (has('misnumbered')) misnumberAnswers()
  if (has('handle')) setInterval(() => kept, 60_000)
  if (has('rejection')) void Promise.reject(new Error('Nobody hears of this.'))
  if (has('child')) addChild(mark, folder)
  if (has('session')) keepSessions(kept, harness)
  return () => {
    if (has('memory')) kept.push(new Array(KEPT_NUMBERS).fill(0.5))
  }
}

function breakCalls(has: (fault: Fault) => boolean): void {
  const { prototype } = AgentCalls
  const method = Reflect.get<AgentCalls, 'send'>(prototype, 'send')
  const state: { count: number; last?: Result } = { count: 0 }
  const replaced: Send = async function (this: AgentCalls, request, caller) {
    return breakOne(caller, { has, state, send: (one) => method.call(this, request, one) })
  }
  Object.defineProperty(prototype, 'send', { value: replaced })
}

async function breakOne(
  call: Caller,
  {
    has,
    state,
    send,
  }: {
    readonly has: (fault: Fault) => boolean
    readonly state: { count: number; last?: Result }
    readonly send: (caller: Caller) => Promise<Result>
  },
): Promise<Result> {
  state.count += 1
  // Not in two ways at a time.
  const isNow = (fault: Fault): boolean =>
    has(fault) && state.count % EVERY === FAULTS.indexOf(fault)
  if (isNow('lost')) return new Promise(() => undefined)
  if (isNow('refused')) throw new AppError('SERVER_EXITED', 'The server is gone.')
  const given = state.last
  const sent = { ...call, ...changesOf(call, has) }
  if (isNow('twice')) await send(sent)
  state.last = await send(sent)
  return isNow('crossed') && given !== undefined ? given : state.last
}

function changesOf({ onProgress }: Caller, has: (fault: Fault) => boolean): Partial<Caller> {
  return {
    ...(has('progress') && {
      onProgress: (one) => one.progress === 2 || onProgress?.(one),
    }),
    ...(has('uncancelled') && { signal: new AbortController().signal }),
  }
}

/** Changes the id in some single-piece answers to another request's. */
function misnumberAnswers(): void {
  const { prototype } = ServerResponse
  const end = Reflect.get(prototype, 'end') as (...args: unknown[]) => unknown
  let count = 0
  Reflect.set(prototype, 'end', function (this: ServerResponse, ...[body, ...rest]: unknown[]) {
    if (typeof body !== 'string' || !body.startsWith('{"jsonrpc":"2.0","id":'))
      return end.call(this, body, ...rest)
    count += 1
    const other = body.replace(/\d(?=,)/u, (digit) => String((Number(digit) + 1) % 10))
    return end.call(this, count % EVERY === 0 ? other : body, ...rest)
  })
}

/** A second process of the first server, which outlives the core. */
function addChild(mark: string, folder: string): void {
  const program = resolve('bench/soak/gateway/server.mjs')
  const env = { ...process.env, [MARK]: mark }
  const args = ['-e', 'setTimeout(() => {}, 3_600_000)', program, serverName(0), folder]
  spawn(process.execPath, args, { env, stdio: 'ignore' }).unref()
}

function keepSessions(kept: unknown[], harness: Harness): void {
  const { prototype } = AgentSession
  const greet = Object.getOwnPropertyDescriptor(prototype, 'greet')?.value as
    | AgentSession['greet']
    | undefined
  Object.defineProperty(prototype, 'greet', {
    value: function (this: AgentSession, ...args: Parameters<AgentSession['greet']>): void {
      kept.push(this)
      greet?.apply(this, args)
    },
  })
  harness.patchbay.onEvent(({ channel, payload }) => {
    if (channel !== 'server.changed' || payload.server.status.kind !== 'ready') return
    kept.push(harness.session(payload.server.installationId))
  })
}
