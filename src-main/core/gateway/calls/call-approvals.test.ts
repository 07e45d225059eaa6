import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { listedServer, listedTool } from '../../../../e2e/fixtures/directory-servers'
import { openAgents } from '../../../../e2e/fixtures/open-agents'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { type Agent, AgentProfile } from '../../../../src-shared/domain/agents/agent'
import type { ToolAnnotations } from '../../../../src-shared/domain/agents/capability'
import type { UserRequestAnswer } from '../../../../src-shared/domain/agents/user-request'
import type { JsonObject } from '../../../../src-shared/domain/json-object'
import type { RequestOrigin } from '../../mcp/elicitation/elicitation'
import { exactJson } from '../../mcp/json/exact-json'
import { type ResolvedTool, ToolDirectory } from '../../tools/directory/tool-directory'
import { UserRequests } from '../../user-requests/user-requests'
import { sentArguments } from './agent-request'
import { CallApprovals, type ConfirmedCall } from './call-approvals'

type Confirm = AgentProfile['confirm']
type Some = { readonly name: string; readonly hash: string; readonly server: string }

/** Returns a tool, by default of the server `files`. */
function resolved(
  name = 'remove',
  { hash = name, server = 'files', ...annotations }: ToolAnnotations & Partial<Some> = {},
): ResolvedTool {
  const directory = new ToolDirectory()
  directory.set([
    listedServer(server, [], { tools: [listedTool(name, { hash }, { annotations })] }),
  ])
  const [tool] = directory.snapshot.tools
  if (!tool) throw new Error('there is no tool')
  return tool
}

/** Opens the approvals of Anna, who is reused if the folder already has her. */
async function openApprovals(profile: Partial<AgentProfile> = {}, folder = tempFolder('agents')) {
  const userRequests = new UserRequests()
  onTestFinished(() => userRequests[Symbol.dispose]())
  const agents = openAgents(folder)
  const agent = async (name: string): Promise<Agent> => {
    const all = { ...AgentProfile.parse({}), confirm: 'always' as const, ...profile }
    return agents.read((await agents.add(name, all)).agentId)
  }
  const anna = agents.find('anna') ?? (await agent('Anna'))
  const options: { waitMs: number; callable: readonly ResolvedTool[] } = {
    // Longer than any test, so that no test passes because of the timeout.
    waitMs: 600_000,
    callable: [],
  }
  const confirmations = new CallApprovals({
    ...{ userRequests, agents },
    callable: () => options.callable,
    waitMs: () => options.waitMs,
    mask: (text) => text.replaceAll('hunter2', '***'),
    nameOf: (installationId) => `Server ${installationId}`,
  })
  return {
    ...{ userRequests, agents, confirmations, options, anna },
    bert: () => agent('Bert'),
    /** Begins a call of Anna; resolves to its outcome. */
    pass: (tool = resolved(), args: JsonObject = {}, more: Partial<ConfirmedCall> = {}) =>
      confirmations.pass({ agent: anna, resolved: tool, sent: sentArguments(args), ...more }).then(
        () => 'passed',
        (error: unknown) => (error as { code: string }).code,
      ),
    /** Answers the oldest request. */
    answer: (answer: UserRequestAnswer): void => {
      userRequests.answer(userRequests.pending[0]?.requestId ?? '', answer)
    },
  }
}

describe('E6: the approval of a call', () => {
  it.each<[Confirm, ToolAnnotations | undefined, boolean]>([
    ['never', { destructiveHint: true }, false],
    ['destructive', undefined, true],
    ['destructive', { destructiveHint: true }, true],
    ['destructive', { readOnlyHint: false }, true],
    ['destructive', { destructiveHint: false }, false],
    ['destructive', { readOnlyHint: true }, false],
    ['always', { readOnlyHint: true }, true],
  ])('with "%s" and %j is needed: %s', async (confirm, annotations, isAsked) => {
    const { pass, answer, userRequests } = await openApprovals({ confirm })
    const passing = pass(resolved('remove', annotations))
    expect(userRequests.pending).toHaveLength(isAsked ? 1 : 0)
    if (isAsked) answer({ kind: 'allow', scope: 'once' })
    expect(await passing).toBe('passed')
  })

  it('is reported to the agent every few seconds as the reason for the wait', async () => {
    const { pass, answer } = await openApprovals()
    const reports: { progress: number; message?: string }[] = []
    const onProgress: ConfirmedCall['onProgress'] = (progress) => reports.push(progress)
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const passing = pass(resolved(), {}, { onProgress })
    expect(reports).toHaveLength(1)
    vi.advanceTimersByTime(15_000)
    const message = 'Waiting for approval of remove in Patchbay'
    // A server whose progress begins at one is still ahead.
    const steps = [1e-6, 2e-6, 3e-6, 4e-6].map((at) => expect.closeTo(at, 9) as number)
    expect(reports).toEqual(steps.map((progress) => ({ progress, message })))
    answer({ kind: 'allow', scope: 'always' })
    await passing
    vi.advanceTimersByTime(60_000)
    await pass(resolved(), {}, { onProgress })
    expect(reports).toHaveLength(4)
  })

  it('shows what the call would do, with secrets masked there and in opened arguments', async () => {
    const { pass, userRequests } = await openApprovals()
    const args = { path: '/tmp/hunter2', token: 'abc', key: 'row', hunter2: 1, pin: 7 }
    void pass(resolved(), { ...args, text: `hunter2${'x'.repeat(30_000)}` })
    expect(userRequests.pending[0]).toMatchObject({ installationId: 'files', agent: 'Anna' })
    const { body, requestId = '' } = userRequests.pending[0] ?? {}
    expect(body).toMatchObject({ kind: 'call', tool: 'remove', isDestructive: true })
    const text = JSON.stringify(body)
    for (const shown of ['"/tmp/***"', '"row"', '"•', '"***x', '"more":29763'])
      expect(text).toContain(shown)
    for (const hidden of ['hunter2', 'abc']) expect(text).not.toContain(hidden)
    const whole = userRequests.argumentOf(requestId, 5).text
    expect(whole).toBe(`***${'x'.repeat(30_000)}`)
    const all = JSON.parse(userRequests.argumentOf(requestId, undefined).text) as object
    expect(all).toMatchObject({ path: '/tmp/***', key: 'row', '***': 1 })
    expect(() => userRequests.argumentOf(requestId, 6)).toThrow('This request has ended.')
  })

  it('shows the digits that are sent, and is separate for calls that differ only in these', async () => {
    const { pass, userRequests, answer } = await openApprovals()
    const texts = ['12345678901234567992', '12345678901234567993', '1e400', 'null', '0.1', '0.10']
    const passing = texts.map((n) => pass(resolved(), exactJson(`{"n":${n}}`) as JsonObject))
    const shown = userRequests.pending.map(({ body }) => body.kind === 'call' && body.arguments)
    expect(shown).toMatchObject(texts.map((n) => [{ name: 'n', value: [n], kind: 'json' }]))
    answer({ kind: 'allow', scope: 'once' })
    expect(await passing[0]).toBe('passed')
    expect(userRequests.pending).toHaveLength(5)
  })

  it('can cover only this call until each long argument was opened in full', async () => {
    const { pass, userRequests, answer } = await openApprovals()
    const long = 'x'.repeat(1_000)
    const passing = pass(resolved(), { a: long, b: 1, c: long })
    const { requestId = '' } = userRequests.pending[0] ?? {}
    for (const at of [0, 1, undefined]) userRequests.argumentOf(requestId, at)
    for (const scope of ['session', 'always'] as const)
      expect(() => answer({ kind: 'allow', scope })).toThrow('can only be allowed once')
    userRequests.argumentOf(requestId, 2)
    answer({ kind: 'allow', scope: 'session' })
    expect(await passing).toBe('passed')
    const huge = pass(resolved('write'), { a: 'x'.repeat(2_000_000) })
    const { requestId: id = '' } = userRequests.pending[0] ?? {}
    expect(userRequests.argumentOf(id, 0)).toMatchObject({ isCut: true })
    expect(() => answer({ kind: 'allow', scope: 'session' })).toThrow('can only be allowed once')
    answer({ kind: 'allow', scope: 'once' })
    expect(await huge).toBe('passed')
  })

  it('covers one call with "once"; with "session" it settles the tool\'s other calls only', async () => {
    const { anna, bert, agents, pass, answer, userRequests, confirmations } = await openApprovals()
    const once = pass()
    answer({ kind: 'allow', scope: 'once' })
    expect(await once).toBe('passed')
    const three = [1, 2, 3].map((n) => pass(resolved(), { n }))
    const others = [pass(resolved('write')), pass(resolved(), {}, { agent: await bert() })]
    expect(userRequests.pending).toHaveLength(5)
    answer({ kind: 'allow', scope: 'session' })
    expect(await Promise.all(three)).toEqual(['passed', 'passed', 'passed'])
    expect(userRequests.pending).toMatchObject([
      { agent: 'Anna', body: { tool: 'write' } },
      { agent: 'Bert', body: { tool: 'remove' } },
    ])
    expect(agents.find(anna.agentId)?.allowed).toEqual([])
    for (const [index, kind] of (['deny', 'dismiss'] as const).entries()) {
      answer({ kind })
      expect(await others[index]).toBe('CONSENT_REQUIRED')
    }
    confirmations.forget(anna.agentId, { installationId: 'files', tool: 'write' })
    expect(await pass()).toBe('passed')
    confirmations.forget(anna.agentId)
    void pass()
    expect(userRequests.pending).toHaveLength(1)
  })

  it('belongs to the newest of equal calls, and the others end with a sentence', async () => {
    const { confirmations, anna, pass, answer, userRequests } = await openApprovals()
    const first = confirmations.pass({
      ...{ agent: anna, resolved: resolved(), sent: sentArguments({ n: 1 }) },
    })
    const [requestId] = userRequests.pending.map((one) => one.requestId)
    const others = [1, 2].map(() => pass(resolved(), { n: 1 }))
    void pass(resolved(), { n: 2 })
    await expect(first).rejects.toThrow('remove was not called: the same call was sent again.')
    // Someone who reads the request isn't interrupted.
    expect(userRequests.pending).toMatchObject([{ requestId }, { body: { kind: 'call' } }])
    answer({ kind: 'allow', scope: 'once' })
    expect(await Promise.all(others)).toEqual(['CONSENT_REQUIRED', 'passed'])
    void pass(resolved(), { n: 1 })
    expect(userRequests.pending).toHaveLength(2)
  })

  it('is withdrawn when its agent is gone', async () => {
    const { pass, userRequests } = await openApprovals()
    const controller = new AbortController()
    const older = pass(resolved(), { n: 1 })
    const given = pass(resolved(), { n: 1 }, { signal: controller.signal })
    expect(await older).toBe('CONSENT_REQUIRED')
    controller.abort()
    expect(await given).toBe('REQUEST_CANCELLED')
    expect(userRequests.pending).toEqual([])
    // A call that was canceled earlier isn't shown.
    expect(await pass(resolved(), {}, { signal: controller.signal })).toBe('REQUEST_CANCELLED')
    expect(userRequests.pending).toEqual([])
  })

  it('never passes a call of another agent, server, tool or definition', async () => {
    const some = fc.record({
      name: fc.constantFrom('remove', 'write'),
      hash: fc.constantFrom('one', 'two'),
      server: fc.constantFrom('files', 'mail'),
    })
    const grants = fc.record({
      granted: some,
      scope: fc.constantFrom('session' as const, 'always' as const),
      target: fc.constantFrom('tool' as const, 'server' as const, 'agent' as const),
      called: some,
      isCallable: fc.boolean(),
      isOther: fc.boolean(),
    })
    const make = ({ name, ...more }: Some): ResolvedTool => resolved(name, more)
    await fc.assert(
      fc.asyncProperty(grants, async ({ granted, scope, target, called, isCallable, isOther }) => {
        const { anna, bert, pass, answer, userRequests, options } = await openApprovals()
        options.callable = isCallable ? [make(called)] : []
        const passing = pass(make(granted))
        answer({ kind: 'allow', scope, target })
        await passing
        const isSame = JSON.stringify(granted) === JSON.stringify(called)
        const isOfServer = target === 'server' && granted.server === called.server
        const isNamed = isSame || (isCallable && (isOfServer || target === 'agent'))
        void pass(make(called), {}, { agent: isOther ? await bert() : anna })
        expect(userRequests.pending).toHaveLength(isNamed && !isOther ? 0 : 1)
      }),
      { numRuns: 150 },
    )
  })

  it('is permanent for definitions that differ only in irrelevant parts, and recognizes the hash of earlier versions', async () => {
    const { anna, agents, pass, answer, userRequests } = await openApprovals()
    const dated = (hash: string): ResolvedTool => ({
      ...resolved('today', { hash }),
      meaning: 'same',
    })
    const passing = pass(dated('monday'))
    answer({ kind: 'allow', scope: 'always' })
    expect([await passing, await pass(dated('tuesday'))]).toEqual(['passed', 'passed'])
    agents.allow(anna.agentId, [{ installationId: 'files', tool: 'old', hash: 'whole' }])
    const old = { ...resolved('old', { hash: 'whole' }), meaning: 'other' }
    expect(await pass(old)).toBe('passed')
    void pass({ ...old, hash: 'changed' })
    expect(userRequests.pending).toHaveLength(1)
  })

  it('is kept across restarts if permanent, and can be revoked by tool', async () => {
    const folder = tempFolder('agents')
    const first = await openApprovals({}, folder)
    const { agents, confirmations, pass, userRequests } = first
    first.options.callable = [resolved(), resolved('write')]
    const passing = pass()
    first.answer({ kind: 'allow', scope: 'always', target: 'server' })
    expect(await passing).toBe('passed')
    const later = await openApprovals({}, folder)
    for (const tool of [resolved(), resolved('write')])
      expect(await later.pass(tool)).toBe('passed')
    const write = { installationId: 'files', tool: 'write' }
    agents.revoke('anna', write)
    confirmations.forget('anna', write)
    expect(await pass()).toBe('passed')
    void pass(resolved('write'))
    expect(userRequests.pending).toHaveLength(1)
  })

  it('denies the call on timeout, or if the user declines', async () => {
    const { anna, answer, userRequests, confirmations, options } = await openApprovals()
    const call = { agent: anna, resolved: resolved(), sent: sentArguments({}) }
    options.waitMs = 20
    const late = confirmations.pass(call)
    await expect(late).rejects.toThrow('remove was not called: the approval request timed out.')
    expect(userRequests.pending).toEqual([])
    options.waitMs = 600_000
    const denied = confirmations.pass(call)
    expect(() => answer({ kind: 'accept' })).toThrow('A call can only be allowed or denied.')
    answer({ kind: 'deny' })
    await expect(denied).rejects.toThrow('remove was not called: the user denied it.')
  })

  it('is requested for at most 20 calls of an agent at a time', async () => {
    const { bert, pass, answer, userRequests } = await openApprovals()
    const all = Array.from({ length: 50 }, (_, n) => pass(resolved(), { n }))
    void pass(resolved(), {}, { agent: await bert() })
    expect(userRequests.pending).toHaveLength(21)
    answer({ kind: 'allow', scope: 'session' })
    const outcomes = await Promise.all(all)
    expect(outcomes.filter((one) => one === 'passed')).toHaveLength(20)
    expect(outcomes.filter((one) => one === 'CONSENT_REQUIRED')).toHaveLength(30)
  })
})

describe("E6: an approval in the agent's app", () => {
  type Result = Awaited<ReturnType<NonNullable<RequestOrigin['elicit']>>>

  /** Opens approvals with an app that answers like this; undefined rejects the elicitation. */
  async function openApp(result: Result | undefined) {
    const { pass, ...approvals } = await openApprovals({ asksInApp: true })
    const asked: unknown[] = []
    const elicit: RequestOrigin['elicit'] = (params) => {
      asked.push(params)
      return result ? Promise.resolve(result) : Promise.reject(new Error('no form mode'))
    }
    const requestOrigin = { agent: 'Anna', elicit }
    const call = (args: JsonObject): Promise<string> => pass(resolved(), args, { requestOrigin })
    return { ...approvals, asked, call, pass: () => call({ path: 'hunter2' }) }
  }

  it.each([
    [{ action: 'accept', content: { approval: 'once' } }, 'passed', 2],
    [{ action: 'accept', content: { approval: 'session' } }, 'passed', 1],
    [{ action: 'decline' }, 'CONSENT_REQUIRED', 2],
    [{ action: 'cancel' }, 'CONSENT_REQUIRED', 2],
  ] as const)('%j: %s, asked %i times with masked arguments', async (result, outcome, times) => {
    const { asked, userRequests, pass } = await openApp(result)
    expect([await pass(), await pass()]).toEqual([outcome, outcome])
    expect(asked).toHaveLength(times)
    expect(JSON.stringify(asked)).toContain('Allow remove of Server files?')
    expect(JSON.stringify(asked)).not.toContain('hunter2')
    expect(userRequests.pending).toEqual([])
  })

  it("shows every argument with its exact text, and moves to Patchbay if the app can't show it", async () => {
    const { asked, userRequests, call } = await openApp({ action: 'decline' })
    await call(exactJson(String.raw`{"n":1e400,"to":"a\u202eb\nn: 2"}`) as JsonObject)
    expect(asked).toMatchObject([
      { message: 'Allow remove of Server files?\n\nn: 1e400\nto: "a<U+202E>b\\nn: 2"' },
    ])
    void call({ text: 'x'.repeat(30_000), amount: 5 })
    expect(userRequests.pending).toHaveLength(1)
    expect(asked).toHaveLength(1)
  })

  it('moves to Patchbay if the app rejects the elicitation', async () => {
    const { userRequests, answer, pass } = await openApp(undefined)
    const passing = pass()
    await expect.poll(() => userRequests.pending).toHaveLength(1)
    answer({ kind: 'deny' })
    expect(await passing).toBe('CONSENT_REQUIRED')
  })
})
