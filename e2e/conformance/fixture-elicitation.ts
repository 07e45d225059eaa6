// Server requests of the fixture server, written as a stateless server; the SDK turns them into requests for a client with a session.
// Sampling and roots never appear: Patchbay forwards neither.
import { createHmac, timingSafeEqual } from 'node:crypto'

import {
  acceptedContent,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'

import { addTool, text } from './fixture-tools'

const KEY = 'the state of the fixture'

type Properties = Readonly<Record<string, object>>

/** A result that requests a form, under the scenario's name. */
function asking(
  name: string,
  message: string,
  properties: Properties,
  more: { required?: readonly string[]; state?: string } = {},
): InputRequiredResult {
  const { required = Object.keys(properties), state } = more
  const requestedSchema = { type: 'object', properties, required }
  return {
    resultType: 'input_required',
    inputRequests: {
      [name]: { method: 'elicitation/create', params: { message, requestedSchema } },
    },
    ...(state !== undefined && { requestState: state }),
  } as InputRequiredResult
}

/** The answer under a name, whatever it is. */
function answerTo({ mcpReq }: ServerContext, name: string): unknown {
  return mcpReq.inputResponses?.[name]
}

function accepted(context: ServerContext, name: string): Record<string, unknown> | undefined {
  return acceptedContent(context.mcpReq.inputResponses, name)
}

const signed = (value: string): string =>
  `${value}.${createHmac('sha256', KEY).update(value).digest('hex')}`

/** Reads the request state; throws for any other, which the SDK answers with -32602. */
export function verifyState(state: string): string {
  const value = state.slice(0, state.indexOf('.'))
  const [one, other] = [Buffer.from(state), Buffer.from(signed(value))]
  if (one.length === other.length && timingSafeEqual(one, other)) return value
  throw new Error('This state is not ours.')
}

/** The state read by `verifyState`. */
function stateOf({ mcpReq }: ServerContext): string | undefined {
  return mcpReq.requestState()
}

const TEXT = { type: 'string' }
const done = (words: string): object => ({ content: [text(words)] })

/** A tool that requests a form and returns the answer. */
function addForm(
  server: McpServer,
  name: string,
  form: { properties: Properties; required?: readonly string[]; schema?: object; words: string },
): void {
  const { properties, schema, words } = form
  addTool(
    server,
    name,
    ({ message = 'Fill this in' }, context) => {
      const answer = answerTo(context, 'form') as { action: string; content?: object } | undefined
      if (!answer) return asking('form', String(message), properties, form)
      const { action, content = {} } = answer
      return done(`${words}: action=${action}, content=${JSON.stringify(content)}`)
    },
    schema,
  )
}

const OPTIONS = ['option1', 'option2', 'option3']
const titled = (words: string): object[] =>
  ['First', 'Second', 'Third'].map((nth, at) => ({
    const: `value${at + 1}`,
    title: `${nth} ${words}`,
  }))

function addForms(server: McpServer): void {
  addForm(server, 'test_elicitation', {
    properties: { username: TEXT, email: TEXT },
    schema: { properties: { message: TEXT }, required: ['message'] },
    words: 'User response',
  })
  addForm(server, 'test_elicitation_sep1034_defaults', {
    properties: {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    },
    required: [],
    words: 'Elicitation completed',
  })
  addForm(server, 'test_elicitation_sep1330_enums', {
    properties: {
      untitledSingle: { type: 'string', enum: OPTIONS },
      titledSingle: { type: 'string', oneOf: titled('Option') },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
      titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
    },
    required: [],
    words: 'Elicitation completed',
  })
}

/** The tools and the prompt with server requests. */
export function addAsks(server: McpServer): void {
  addForms(server)
  // No client of the scenario has a model, and the SDK refuses to ask one.
  addTool(server, 'test_missing_capability', () => {
    const params = { messages: [], maxTokens: 1 }
    const inputRequests = { model: { method: 'sampling/createMessage', params } }
    return { resultType: 'input_required', inputRequests }
  })
  addTool(server, 'test_streaming_elicitation', (_, context) =>
    accepted(context, 'name') ? done('Hello') : asking('name', 'Who?', { name: TEXT }),
  )
  addTool(server, 'test_input_required_result_elicitation', (_, context) => {
    const { name } = accepted(context, 'user_name') ?? {}
    if (typeof name === 'string') return done(`Hello, ${name}!`)
    return asking('user_name', 'What is your name?', { name: TEXT })
  })
  for (const name of ['request_state', 'tampered_state'])
    addTool(server, `test_input_required_result_${name}`, (_, context) => {
      if (stateOf(context) === 'confirm' && accepted(context, 'confirm')) return done('state-ok')
      const ok = { ok: { type: 'boolean' } }
      return asking('confirm', 'Please confirm', ok, { state: signed('confirm') })
    })
  addTool(server, 'test_input_required_result_multi_round', (_, context) => {
    const state = stateOf(context)
    const { color } = accepted(context, 'step2') ?? {}
    if (state === '2' && typeof color === 'string') return done(`It is ${color}.`)
    if (state === '1' && accepted(context, 'step1')) {
      const message = 'Step 2: What is your favorite color?'
      return asking('step2', message, { color: TEXT }, { state: signed('2') })
    }
    return asking('step1', 'Step 1: What is your name?', { name: TEXT }, { state: signed('1') })
  })
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Asks for its context' },
    (context: ServerContext) => {
      const { context: given } = accepted(context, 'user_context') ?? {}
      if (typeof given !== 'string') {
        const message = 'What context should the prompt use?'
        return asking('user_context', message, { context: TEXT })
      }
      return {
        messages: [{ role: 'user' as const, content: { type: 'text' as const, text: given } }],
      }
    },
  )
}
