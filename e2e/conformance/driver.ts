// Simulates a Patchbay user for the conformance suite: sets up the server of the last argument, signs in if needed, uses everything it
// offers, and exits. The scenario's data is in MCP_CONFORMANCE_CONTEXT.
import * as z from 'zod'

import type { Tool } from '../../src-shared/domain/agents/capability'
import type {
  ElicitationField,
  UserRequest,
  UserRequestAnswer,
} from '../../src-shared/domain/agents/user-request'
import type { SignInStep } from '../../src-shared/domain/running/sign-in'
import type { ServerView } from '../../src-shared/domain/state/app-state'
import { SettingsChange } from '../../src-shared/domain/state/settings'
import { Harness } from '../fixtures/harness'

/** Sign-ins without success before the user gives up. */
const MAX_SIGN_INS = 3
const WAIT_MS = 20_000
const POLL_MS = 20

const Context = z.object({
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  toolCalls: z
    .array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }))
    .optional(),
})

const url = process.argv.at(-1) ?? ''
const context = Context.parse(JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}'))
/** Settings from before. */
const settings = SettingsChange.parse(JSON.parse(process.env.CONFORMANCE_SETTINGS ?? '{}'))
const harness = new Harness()
let installationId = ''
let signIns = 0
/** Number of successful sign-ins reported to the server, which may end a moment later. */
let timesSignedIn = 0

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

async function settled(): Promise<ServerView> {
  const deadline = Date.now() + WAIT_MS
  for (;;) {
    const view = await harness.view(installationId)
    const isSettled = !['starting', 'stopping', 'stopped'].includes(view.status.kind)
    if (isSettled && view.signIn?.kind !== 'finishing') return view
    if (Date.now() > deadline) throw new Error(`It does not settle: ${JSON.stringify(view.status)}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** False if signing in is impossible. */
async function signIn(): Promise<boolean> {
  signIns += 1
  if (signIns > MAX_SIGN_INS) return false
  let step: SignInStep = await harness.call('signIn.begin', { installationId })
  const { client_id: clientId, client_secret: clientSecret } = context
  if (step.kind === 'clientNeeded' && clientId !== undefined) {
    const client = { clientId, ...(clientSecret !== undefined && { clientSecret }) }
    step = await harness.call('signIn.begin', { installationId, client })
  }
  if (step.kind !== 'ask') return false
  // The user's browser, which accepts everything.
  const before = timesSignedIn
  const page = await fetch(step.address)
  say(`The page of the sign-in: ${String(page.status)}`)
  return isSignedIn(before)
}

async function isSignedIn(before: number): Promise<boolean> {
  const deadline = Date.now() + WAIT_MS
  for (;;) {
    const { signIn: view } = await harness.view(installationId)
    if (view?.kind === 'failed') say(view.message)
    if (view?.kind === 'failed' || Date.now() > deadline) return false
    if (view === undefined && timesSignedIn > before) return true
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** False if the server can't become Ready. */
async function serve(): Promise<boolean> {
  for (;;) {
    const { status } = await settled()
    if (status.kind === 'ready' || status.kind === 'degraded') return true
    say(JSON.stringify(status))
    if (status.kind !== 'signInNeeded' || !(await signIn())) return false
  }
}

async function ask(method: string, params: Record<string, unknown>): Promise<void> {
  for (;;) {
    try {
      const answer = await harness.session(installationId).request(method, params)
      say(`${method} ${JSON.stringify(params)}: ${JSON.stringify(answer).slice(0, 300)}`)
      return
    } catch (error) {
      say(`${method} ${JSON.stringify(params)}: ${String(error)}`)
      const { code } = error as { code?: unknown }
      if (code !== 'SIGN_IN_NEEDED' || !(await signIn()) || !(await serve())) return
    }
  }
}

/** Arguments that a user would type, chosen by field type only. */
function argumentsFor({ inputSchema }: Tool, tools: readonly Tool[]): Record<string, unknown> {
  const { properties = {} } = inputSchema as { properties?: Record<string, { type?: string }> }
  const filled: Record<string, unknown> = {}
  for (const [name, { type }] of Object.entries(properties)) {
    if (type === 'number' || type === 'integer') filled[name] = 3
    else if (type === 'boolean') filled[name] = true
    // One scenario expects a schema as it was listed.
    else if (type === 'object')
      filled[name] = tools.find((one) => one.inputSchema !== inputSchema)?.inputSchema
    else filled[name] = 'text'
  }
  return filled
}

/** The answer of a user who keeps a form's defaults, and fills in required fields. */
function answerTo({ body }: UserRequest): UserRequestAnswer {
  if (body.kind === 'page') return { kind: 'accept' }
  if (body.kind === 'call') return { kind: 'allow', scope: 'once' }
  const filled = body.fields.flatMap((field) => {
    const value = field.input.default ?? (field.isRequired ? typedInto(field) : undefined)
    return value === undefined ? [] : [[field.name, value] as const]
  })
  return { kind: 'accept', content: Object.fromEntries(filled) }
}

function typedInto({ input }: ElicitationField): string | number | boolean | string[] {
  switch (input.kind) {
    case 'text':
      return 'text'
    case 'number':
      return 3
    case 'boolean':
      return true
    case 'choice':
      return input.choices[0]?.value ?? ''
    case 'choices':
      return input.choices.map(({ value }) => value)
  }
}

/** Answers each request as it arrives. */
function answerAll(requests: readonly UserRequest[]): void {
  for (const request of requests) {
    const answer = answerTo(request)
    say(`${JSON.stringify(request.body)}: ${JSON.stringify(answer)}`)
    // A just answered request no longer exists.
    void harness.call('userRequest.answer', { requestId: request.requestId, answer }).catch(String)
  }
}

async function useAll(): Promise<void> {
  const { tools, resources, prompts } = harness.session(installationId).capabilities
  const calls =
    context.toolCalls ??
    tools.map((tool) => ({ name: tool.name, arguments: argumentsFor(tool, tools) }))
  for (const call of calls) await ask('tools/call', call)
  for (const { uri } of resources) await ask('resources/read', { uri })
  for (const { name } of prompts) await ask('prompts/get', { name, arguments: {} })
}

const server = {
  name: 'test.conformance/server',
  title: 'Conformance',
  description: 'A server of the conformance suite.',
  version: '1.0.0',
  remotes: [{ type: 'streamable-http', url }],
}

harness.patchbay.onEvent((event) => {
  if (event.channel === 'server.changed' && event.payload.server.signedIn === true)
    timesSignedIn += 1
  if (event.channel === 'userRequests.changed') answerAll(event.payload.userRequests)
})
try {
  await harness.call('settings.update', settings)
  installationId = await harness.install(server, { offer: { kind: 'remote', index: 0 } })
  const serves = await serve()
  if (serves) await useAll()
  process.exitCode = serves ? 0 : 1
} finally {
  say((installationId === '' ? [] : await harness.log(installationId)).join('\n'))
  await harness.close()
}
