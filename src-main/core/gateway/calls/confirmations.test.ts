import { join } from 'node:path'

import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { listedServer, listedTool } from '../../../../e2e/fixtures/judged-servers'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { type Agent, AgentProfile } from '../../../../src-shared/domain/agents/agent'
import type { ToolAnnotations } from '../../../../src-shared/domain/agents/capability'
import type { QuestionAnswer } from '../../../../src-shared/domain/agents/question'
import { systemTime } from '../../lifecycle/system-time'
import type { CallAsker } from '../../mcp/elicitation/elicitation'
import { Questions } from '../../questions/questions'
import { memoryBackend } from '../../secrets/memory-backend'
import type { PlacedTool } from '../../tools/directory/placed-server'
import { ToolDirectory } from '../../tools/directory/tool-directory'
import { AgentStore } from '../agents/agent-store'
import { Confirmations } from './confirmations'

/** A tool of the server `files`. */
function placed(
  name = 'remove',
  annotations?: ToolAnnotations,
  hash = name,
  server = 'files',
): PlacedTool {
  const directory = new ToolDirectory()
  const listed = listedTool(name, { hash })
  const tools = [{ ...listed, tool: { ...listed.tool, annotations } }]
  directory.set([listedServer(server, [], { tools })])
  const [tool] = directory.snapshot.tools
  if (!tool) throw new Error('there is no tool')
  return tool
}

class Bench {
  readonly questions = new Questions()
  readonly agents: AgentStore
  readonly confirmations: Confirmations
  waitMs = 60_000
  callable: readonly PlacedTool[] = []

  constructor(file = join(tempFolder('agents'), 'agents.json')) {
    this.agents = new AgentStore({
      ...{ file, secrets: memoryBackend(), clock: systemTime },
      onLost: () => undefined,
      onKeyLeft: () => undefined,
    })
    this.confirmations = new Confirmations({
      questions: this.questions,
      agents: this.agents,
      callable: () => this.callable,
      waitMs: () => this.waitMs,
      mask: (text) => text.replaceAll('hunter2', '***'),
      nameOf: (installationId) => `Server ${installationId}`,
    })
  }

  async agent(confirm: AgentProfile['confirm'] = 'always', name = 'Anna'): Promise<Agent> {
    const { agentId } = await this.agents.add(name, { ...AgentProfile.parse({}), confirm })
    const agent = this.agents.find(agentId)
    if (!agent) throw new Error('there is no agent')
    return agent
  }

  /** Begins a call; what became of it once that is known. */
  pass(agent: Agent, tool: PlacedTool, args: unknown = {}, signal?: AbortSignal): Promise<string> {
    return this.confirmations.pass({ agent, placed: tool, args, signal }).then(
      () => 'passed',
      (error: unknown) => (error as { code: string }).code,
    )
  }

  /** Answers the oldest question. */
  answer(answer: QuestionAnswer): void {
    this.questions.answer(this.questions.pending[0]?.questionId ?? '', answer)
  }
}

describe('the yes of a person before a call', () => {
  it.each<[AgentProfile['confirm'], ToolAnnotations | undefined, boolean]>([
    ['never', { destructiveHint: true }, false],
    ['destructive', undefined, true],
    ['destructive', { destructiveHint: true }, true],
    ['destructive', { readOnlyHint: false }, true],
    ['destructive', { destructiveHint: false }, false],
    ['destructive', { readOnlyHint: true }, false],
    ['always', { readOnlyHint: true }, true],
  ])('with "%s" and %j: %s', async (confirm, annotations, isAsked) => {
    const bench = new Bench()
    const passing = bench.pass(await bench.agent(confirm), placed('remove', annotations))
    expect(bench.questions.pending).toHaveLength(isAsked ? 1 : 0)
    if (isAsked) bench.answer({ kind: 'allow', scope: 'once' })
    expect(await passing).toBe('passed')
  })

  it('is told to the agent as what its call waits for, at once and again and again until the answer', async () => {
    const bench = new Bench()
    const agent = await bench.agent()
    const told: { progress: number; message?: string }[] = []
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const passing = bench.confirmations.pass({
      ...{ agent, placed: placed(), args: {} },
      onProgress: (progress) => told.push(progress),
    })
    expect(told).toHaveLength(1)
    vi.advanceTimersByTime(15_000)
    expect(told).toHaveLength(4)
    expect(new Set(told.map(({ message }) => message))).toEqual(
      new Set(['Waiting for approval of remove in Patchbay']),
    )
    const reports = told.map(({ progress }) => progress)
    expect(reports).toEqual([...new Set(reports)].toSorted((a, b) => a - b))
    // A server that begins at one is still ahead.
    expect(reports.at(-1)).toBeLessThan(1)
    bench.answer({ kind: 'allow', scope: 'always' })
    await passing
    vi.advanceTimersByTime(60_000)
    // Nor is an agent told anything when nobody is asked.
    await bench.confirmations.pass({
      ...{ agent, placed: placed(), args: {} },
      onProgress: (progress) => told.push(progress),
    })
    expect(told).toHaveLength(4)
  })

  it('is asked with what the call would do, secrets masked, and cut', async () => {
    const bench = new Bench()
    const agent = await bench.agent()
    void bench.pass(agent, placed(), { path: '/tmp/hunter2', token: 'abc', key: 'row' })
    void bench.pass(agent, placed(), { text: 'x'.repeat(30_000) })
    const [first, second] = bench.questions.pending
    expect(first).toMatchObject({
      installationId: 'files',
      agent: 'Anna',
      body: { kind: 'call', tool: 'remove', isDestructive: true, isCut: false },
    })
    const shown = first?.body.kind === 'call' ? first.body.arguments : ''
    expect(JSON.parse(shown)).toEqual({
      path: '/tmp/***',
      token: expect.stringMatching(/^•+$/u) as string,
      key: 'row',
    })
    expect(second?.body).toMatchObject({ isCut: true })
    expect(second?.body.kind === 'call' ? second.body.arguments.length : 0).toBe(20_000)
    bench.questions[Symbol.dispose]()
  })

  it('once is for one call', async () => {
    const bench = new Bench()
    const agent = await bench.agent()
    for (const round of [1, 2]) {
      const passing = bench.pass(agent, placed())
      expect(bench.questions.pending, String(round)).toHaveLength(1)
      bench.answer({ kind: 'allow', scope: 'once' })
      expect(await passing).toBe('passed')
    }
  })

  it('for this session settles the other calls of the tool, and no others', async () => {
    const bench = new Bench()
    const agent = await bench.agent()
    const other = await bench.agent('always', 'Bert')
    const three = [1, 2, 3].map((n) => bench.pass(agent, placed(), { n }))
    const another = bench.pass(agent, placed('write'))
    const ofOther = bench.pass(other, placed())
    expect(bench.questions.pending).toHaveLength(5)
    bench.answer({ kind: 'allow', scope: 'session' })
    expect(await Promise.all(three)).toEqual(['passed', 'passed', 'passed'])
    expect(
      bench.questions.pending.map(({ agent: name, body }) => [
        name,
        body.kind === 'call' && body.tool,
      ]),
    ).toEqual([
      ['Anna', 'write'],
      ['Bert', 'remove'],
    ])
    expect(await bench.pass(agent, placed())).toBe('passed')
    expect(bench.agents.find(agent.agentId)?.allowed).toEqual([])
    bench.answer({ kind: 'deny' })
    expect(await another).toBe('CONSENT_REQUIRED')
    bench.answer({ kind: 'dismiss' })
    expect(await ofOther).toBe('CONSENT_REQUIRED')
    bench.confirmations.forget(agent.agentId)
    void bench.pass(agent, placed())
    expect(bench.questions.pending).toHaveLength(1)
    bench.questions[Symbol.dispose]()
  })

  it('is one question for equal calls, and waits as long as one of them does', async () => {
    const bench = new Bench()
    const agent = await bench.agent()
    const first = new AbortController()
    const given = bench.pass(agent, placed(), { n: 1 }, first.signal)
    const others = [1, 2].map(() => bench.pass(agent, placed(), { n: 1 }))
    void bench.pass(agent, placed(), { n: 2 })
    expect(bench.questions.pending).toHaveLength(2)
    first.abort()
    expect(await given).toBe('REQUEST_CANCELLED')
    expect(bench.questions.pending).toHaveLength(2)
    bench.answer({ kind: 'allow', scope: 'once' })
    expect(await Promise.all(others)).toEqual(['passed', 'passed'])
    const last = new AbortController()
    const late = bench.pass(agent, placed(), { n: 1 }, last.signal)
    last.abort()
    expect(await late).toBe('REQUEST_CANCELLED')
    await expect.poll(() => bench.questions.pending).toHaveLength(1)
    bench.questions[Symbol.dispose]()
  })

  it('never passes a call that a grant does not name: of another agent, server, tool or definition', async () => {
    const names = ['remove', 'write']
    const hashes = ['one', 'two']
    const servers = ['files', 'mail']
    const some = fc.record({
      name: fc.constantFrom(...names),
      hash: fc.constantFrom(...hashes),
      server: fc.constantFrom(...servers),
    })
    type Some = { readonly name: string; readonly hash: string; readonly server: string }
    const make = ({ name, hash, server }: Some): PlacedTool => placed(name, undefined, hash, server)
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          granted: some,
          scope: fc.constantFrom('session' as const, 'always' as const),
          target: fc.constantFrom('tool' as const, 'server' as const, 'agent' as const),
          callable: fc.array(some, { maxLength: 4 }),
          called: some,
          isOther: fc.boolean(),
        }),
        async ({ granted, scope, target, callable, called, isOther }) => {
          const bench = new Bench()
          bench.callable = callable.map(make)
          const agent = await bench.agent()
          const other = await bench.agent('always', 'Bert')
          const passing = bench.pass(agent, make(granted))
          bench.answer({ kind: 'allow', scope, target })
          await passing
          const isSame = (one: Some): boolean => JSON.stringify(one) === JSON.stringify(called)
          const named = callable.filter(
            ({ server }) => target === 'agent' || server === granted.server,
          )
          const isNamed = isSame(granted) || (target !== 'tool' && named.some(isSame))
          void bench.pass(isOther ? other : agent, make(called))
          expect(bench.questions.pending).toHaveLength(isNamed && !isOther ? 0 : 1)
          bench.questions[Symbol.dispose]()
        },
      ),
      { numRuns: 40 },
    )
  })

  it('can be asked for again by tool', async () => {
    const bench = new Bench()
    bench.callable = [placed(), placed('write')]
    const agent = await bench.agent()
    const passing = bench.pass(agent, placed())
    bench.answer({ kind: 'allow', scope: 'always', target: 'server' })
    await passing
    expect(await bench.pass(agent, placed('write'))).toBe('passed')
    const write = { installationId: 'files', tool: 'write' }
    bench.agents.revoke(agent.agentId, write)
    bench.confirmations.forget(agent.agentId, write)
    expect(await bench.pass(agent, placed())).toBe('passed')
    void bench.pass(agent, placed('write'))
    expect(bench.questions.pending).toHaveLength(1)
    bench.questions[Symbol.dispose]()
  })

  it('for good is kept over the end of the app, and is for the tool as it was', async () => {
    const file = join(tempFolder('agents'), 'agents.json')
    const bench = new Bench(file)
    const agent = await bench.agent()
    const passing = bench.pass(agent, placed())
    bench.answer({ kind: 'allow', scope: 'always' })
    expect(await passing).toBe('passed')
    const later = new Bench(file)
    const [again] = later.agents.agents
    if (!again) throw new Error('the agent is not kept')
    expect(await later.pass(again, placed())).toBe('passed')
    void later.pass(again, placed('remove', undefined, 'changed'))
    expect(later.questions.pending).toHaveLength(1)
    later.questions[Symbol.dispose]()
  })

  it('that does not come is a no, and so is a question that was closed', async () => {
    const bench = new Bench()
    bench.waitMs = 20
    const agent = await bench.agent()
    const late = bench.confirmations.pass({ agent, placed: placed(), args: {} })
    await expect(late).rejects.toThrow('remove was not called: the approval request timed out.')
    expect(bench.questions.pending).toEqual([])
    bench.waitMs = 60_000
    const denied = bench.confirmations.pass({ agent, placed: placed(), args: {} })
    bench.answer({ kind: 'deny' })
    await expect(denied).rejects.toThrow('remove was not called: the user denied it.')
  })

  it('is no longer used when the call is given up', async () => {
    const bench = new Bench()
    const giving = new AbortController()
    const passing = bench.pass(await bench.agent(), placed(), {}, giving.signal)
    expect(bench.questions.pending).toHaveLength(1)
    giving.abort()
    expect(await passing).toBe('REQUEST_CANCELLED')
    expect(bench.questions.pending).toEqual([])
  })

  it('is an answer to a call, and no form', async () => {
    const bench = new Bench()
    const passing = bench.pass(await bench.agent(), placed())
    expect(() => bench.answer({ kind: 'accept' })).toThrow('A call can only be allowed or denied.')
    expect(bench.questions.pending).toHaveLength(1)
    bench.answer({ kind: 'allow', scope: 'once' })
    expect(await passing).toBe('passed')
  })

  it('is asked for 20 calls of an agent at a time, whatever it sends', async () => {
    const bench = new Bench()
    const agent = await bench.agent()
    const other = await bench.agent('always', 'Bert')
    const all = Array.from({ length: 50 }, (_, n) => bench.pass(agent, placed(), { n }))
    void bench.pass(other, placed())
    expect(bench.questions.pending).toHaveLength(21)
    bench.answer({ kind: 'allow', scope: 'session' })
    const outcomes = await Promise.all(all)
    expect(outcomes.filter((one) => one === 'passed')).toHaveLength(20)
    expect(outcomes.filter((one) => one === 'CONSENT_REQUIRED')).toHaveLength(30)
    bench.questions[Symbol.dispose]()
  })
})

describe('E6 an approval that the app asks for itself', () => {
  type Result = Awaited<ReturnType<NonNullable<CallAsker['elicit']>>>

  async function begin(elicit: () => Promise<Result>) {
    const bench = new Bench()
    const added = await bench.agent()
    const agent = { ...added, profile: { ...added.profile, asksInApp: true } }
    const asked: unknown[] = []
    const pass = (): Promise<string> =>
      bench.confirmations
        .pass({
          ...{ agent, placed: placed(), args: { path: 'hunter2' } },
          asker: { agent: 'Anna', elicit: (params) => (asked.push(params), elicit()) },
        })
        .then(
          () => 'passed',
          (error: unknown) => (error as { code: string }).code,
        )
    return { bench, asked, pass }
  }

  it('names tool and server with masked arguments, and holds for one call', async () => {
    const { bench, asked, pass } = await begin(() =>
      Promise.resolve({ action: 'accept', content: { approval: 'once' } }),
    )
    expect(await pass()).toBe('passed')
    expect(asked).toMatchObject([
      {
        mode: 'form',
        message: expect.stringMatching(/^Allow remove of Server files\?/u) as string,
      },
    ])
    expect(JSON.stringify(asked)).not.toContain('hunter2')
    expect(bench.questions.pending).toEqual([])
    await pass()
    expect(asked).toHaveLength(2)
  })

  it('holds for the session where the user says so', async () => {
    const { asked, pass } = await begin(() =>
      Promise.resolve({ action: 'accept', content: { approval: 'session' } }),
    )
    expect([await pass(), await pass()]).toEqual(['passed', 'passed'])
    expect(asked).toHaveLength(1)
  })

  it.each(['decline', 'cancel'] as const)('denies the call on %s', async (action) => {
    const { pass } = await begin(() => Promise.resolve({ action }))
    expect(await pass()).toBe('CONSENT_REQUIRED')
  })

  it('is asked for by Patchbay where the app refuses to', async () => {
    const { bench, pass } = await begin(() => Promise.reject(new Error('no form mode')))
    const passing = pass()
    await expect.poll(() => bench.questions.pending).toHaveLength(1)
    bench.answer({ kind: 'deny' })
    expect(await passing).toBe('CONSENT_REQUIRED')
  })
})
