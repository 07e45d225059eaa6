import { randomUUID } from 'node:crypto'

import { type LinkAnswer, readSigned } from './agent-link'
import { Outages } from './outages'

/** A call in flight, identified by its value. */
export type OpenCall = {
  readonly value: string
  readonly server: string
  readonly tool: string
  readonly sentAt: number
  /** Progress reports before its answer. */
  readonly times: number
  /** Texts of the reports so far. */
  readonly reports: string[]
}

/** A call canceled by its agent, and the process that ran it. */
type Cancel = { readonly value: string; readonly pid: number }

/** Faults found, each with its message. */
export type Wrong = 'lost' | 'crossed' | 'unexplained' | 'progress' | 'cancelAnswered'

/** Why a call may fail while its server is down. */
const REASONS: ReadonlySet<string | undefined> = new Set([
  'SERVER_EXITED',
  'SERVER_KILLED',
  'SERVER_NOT_RUNNING',
  'REQUEST_TIMEOUT',
])

/** The outcomes of all calls. */
export class Ledger {
  readonly outages = new Outages()
  readonly cancels: Cancel[] = []
  readonly wrong: Readonly<Record<Wrong, string[]>> = {
    ...{ lost: [], crossed: [], unexplained: [], progress: [], cancelAnswered: [] },
  }
  answered = 0
  /** Calls that failed with a reason while their server was down. */
  explained = 0
  /** Calls whose agent disappeared. */
  abandoned = 0
  /** Progress reports received. */
  reports = 0
  readonly #open = new Set<OpenCall>()
  #isClosed = false

  /** Whether later events are ignored. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  begin(server: string, tool: string, times = 0): OpenCall {
    const sentAt = performance.now()
    const call = { value: randomUUID(), server, tool, sentAt, times, reports: [] }
    this.#open.add(call)
    return call
  }

  /** Records a call's outcome. */
  settle(call: OpenCall, answer: LinkAnswer): void {
    if (this.#isClosed) return
    if (!this.#open.delete(call)) this.#note('crossed', call, 'is settled twice')
    if (answer.kind === 'error') this.#failed(call, answer)
    else if (answer.kind === 'cancelled') this.#cancelled(call)
    else this.#result(call, answer.result)
  }

  /** Its agent disappeared, or no answer came. */
  drop(call: OpenCall, reason: 'vanished' | Error): void {
    if (this.#isClosed) return
    this.#open.delete(call)
    if (reason === 'vanished') this.abandoned += 1
    else this.#note('lost', call, String(reason))
  }

  /** The soak is over: open calls have no answer. */
  close(): void {
    for (const call of this.#open) this.#note('lost', call, 'has no answer')
    this.#open.clear()
    this.#isClosed = true
  }

  #result(call: OpenCall, result: unknown): void {
    if (call.tool === 'wait') this.#note('cancelAnswered', call, JSON.stringify(result))
    const { content } = result as { content?: { text?: unknown }[] }
    const signed = readSigned(content?.[0]?.text)
    if (signed?.of !== call.server || signed.value !== call.value) {
      this.#note('crossed', call, JSON.stringify(result).slice(0, 300))
      return
    }
    this.answered += 1
    this.outages.answered(call.server, signed.pid)
    this.#checkReports(call)
  }

  #cancelled(call: OpenCall): void {
    const pid = readSigned(call.reports[0])?.pid
    if (pid === undefined) this.#note('cancelAnswered', call, 'was given up before it was run')
    else this.cancels.push({ value: call.value, pid })
    this.#checkReports(call)
  }

  /** Each report must be the call's own, and the answer must come last. */
  #checkReports(call: OpenCall): void {
    this.reports += call.reports.length
    const isOwn = call.reports.every((text) => readSigned(text)?.value === call.value)
    // A canceled call may have reported again meanwhile.
    const isAll = call.tool === 'wait' || call.reports.length === call.times
    if (!isOwn || !isAll)
      this.#note(
        'progress',
        call,
        `${call.reports.length} of ${call.times}: ${call.reports.join(' ')}`,
      )
  }

  #failed(call: OpenCall, { message, data }: Extract<LinkAnswer, { kind: 'error' }>): void {
    const { server, sentAt } = call
    const isDown = this.outages.wasDown(server, sentAt, performance.now())
    const isNamed = REASONS.has(data?.code) && message.includes('server')
    if (isDown && isNamed) this.explained += 1
    else
      this.#note(
        'unexplained',
        call,
        `${isDown ? '' : 'while its server was up: '}${data?.code ?? ''} ${message}`,
      )
  }

  #note(kind: Wrong, { server, tool, value }: OpenCall, words: string): void {
    this.wrong[kind].push(`${server} ${tool} ${value}: ${words}`)
  }
}
