import { randomUUID } from 'node:crypto'

import { type LinkAnswer, readSigned } from './agent-link'
import { Outages } from './outages'

/** A call under way, by a value that no other call has. */
export type OpenCall = {
  readonly value: string
  readonly server: string
  readonly tool: string
  readonly sentAt: number
  /** Reports of progress that its answer comes after. */
  readonly times: number
  /** The words of the reports so far. */
  readonly reports: string[]
}

/** A call that its agent gave up, and the process that worked on it. */
type Cancel = { readonly value: string; readonly pid: number }

/** What was found wrong, each with its words. */
export type Wrong = 'lost' | 'crossed' | 'unexplained' | 'progress' | 'cancelAnswered'

/** Why a call may fail while its server is down. */
const REASONS: ReadonlySet<string | undefined> = new Set([
  'SERVER_EXITED',
  'SERVER_KILLED',
  'SERVER_NOT_RUNNING',
  'REQUEST_TIMEOUT',
])

/** What became of every call. */
export class Ledger {
  readonly outages = new Outages()
  readonly cancels: Cancel[] = []
  readonly wrong: Readonly<Record<Wrong, string[]>> = {
    ...{ lost: [], crossed: [], unexplained: [], progress: [], cancelAnswered: [] },
  }
  answered = 0
  /** Calls that failed while their server was down, with a reason. */
  explained = 0
  /** Calls whose agent vanished. */
  abandoned = 0
  /** Reports of progress that came. */
  reports = 0
  readonly #open = new Set<OpenCall>()
  #isClosed = false

  /** Whether what happens is not looked at any more. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  begin(server: string, tool: string, times = 0): OpenCall {
    const sentAt = performance.now()
    const call = { value: randomUUID(), server, tool, sentAt, times, reports: [] }
    this.#open.add(call)
    return call
  }

  /** Something came back for a call. */
  settle(call: OpenCall, answer: LinkAnswer): void {
    if (this.#isClosed) return
    if (!this.#open.delete(call)) this.#note('crossed', call, 'is settled twice')
    if (answer.kind === 'error') this.#failed(call, answer)
    else if (answer.kind === 'cancelled') this.#cancelled(call)
    else this.#result(call, answer.result)
  }

  /** Its agent vanished, or nothing came that is an answer. */
  drop(call: OpenCall, reason: 'vanished' | Error): void {
    if (this.#isClosed) return
    this.#open.delete(call)
    if (reason === 'vanished') this.abandoned += 1
    else this.#note('lost', call, String(reason))
  }

  /** The soak is over: what is open has no answer. */
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

  /** Each report is the call's own, and the answer comes after all of them. */
  #checkReports(call: OpenCall): void {
    this.reports += call.reports.length
    const isOwn = call.reports.every((text) => readSigned(text)?.value === call.value)
    // One that is given up may have reported again meanwhile.
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
