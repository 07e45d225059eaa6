import type { Tool } from '../../../../src-shared/domain/agents/capability'
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import {
  type Check,
  type CheckOutcome,
  flaw,
  notChecked,
  PASSED,
  type RunContext,
  SECTIONS,
} from '../check'
import { isOutsideError } from '../outside-failure'
import type { Reply, VetRun } from '../vet-run'
import { request, shown } from './protocol-checks'

const UNKNOWN_TOOL = 'patchbay_unknown_tool'
/** A member of the object sent in place of a text or number. */
const WRONG_KEY = 'patchbay-wrong-type'
const SHOWN = 300
const ANY_VALUES: Readonly<Record<string, unknown>> = {
  ...{ string: 'made-up', number: 1, integer: 1, boolean: true, array: [], object: {} },
}

export const ERROR_CHECKS: readonly Check[] = [
  {
    id: 'errors.unknown-tool',
    level: 'must',
    title: 'A call of an unknown tool returns an error.',
    section: SECTIONS.toolErrors,
    needs: ['running'],
    run: async ({ run, responseMs }) => {
      if (run.session.capabilities.tools.length === 0)
        return notChecked('The server lists no tools.')
      const params = { name: UNKNOWN_TOOL, arguments: {} }
      const reply = await run.request('tools/call', params, responseMs)
      if (isFailure(reply)) return PASSED
      return flaw({
        message:
          reply.kind === 'none'
            ? 'A call of an unknown tool gets no answer, so the agent waits.'
            : 'The answer to a call of an unknown tool isn’t marked as an error, so apps take it for a result.',
        sent: request('tools/call', params),
        received: shown(reply),
        fix: 'Answer with −32602, or with a result with isError.',
      })
    },
  },
  {
    id: 'errors.missing-argument',
    level: 'should',
    title: 'The error for a missing argument names it.',
    section: SECTIONS.toolErrors,
    needs: ['running', 'callReadOnly'],
    run: (ctx) => {
      const tool = readOnlyTools(ctx.run).find((one) => requiredOf(one).length > 0)
      if (!tool) return notChecked('No read-only tool requires an argument.')
      return callWith(ctx, tool, {}, 'without its required arguments', requiredOf(tool))
    },
  },
  {
    id: 'errors.wrong-type',
    level: 'should',
    title: 'The error for an argument of the wrong type names it.',
    section: SECTIONS.toolErrors,
    needs: ['running', 'callReadOnly'],
    run: (ctx) => {
      for (const tool of readOnlyTools(ctx.run)) {
        const [key] = requiredOf(tool).filter((name) => isScalar(propertyOf(tool, name)))
        if (key === undefined) continue
        const others = requiredOf(tool).map((name) => [name, anyValue(propertyOf(tool, name))])
        const args = { ...Object.fromEntries(others), [key]: { [WRONG_KEY]: true } } as JsonObject
        // An error that quotes the value points at its argument too.
        return callWith(ctx, tool, args, `with an object as “${key}”`, [key, WRONG_KEY])
      }
      return notChecked('No read-only tool requires a text or a number.')
    },
  },
]

async function callWith(
  { run, responseMs }: RunContext,
  { name }: Tool,
  args: JsonObject,
  how: string,
  /** Texts that name the argument in the error, its name first. */
  expected: readonly string[],
): Promise<CheckOutcome> {
  const params = { name, arguments: args }
  const reply = await run.request('tools/call', params, responseMs)
  const evidence = { sent: request('tools/call', params), received: shown(reply) }
  const fix = 'Validate arguments first, and name the argument and what is expected of it.'
  if (!isFailure(reply)) {
    const what = reply.kind === 'none' ? 'gets no answer' : 'succeeds'
    return flaw({ message: `A call of ${name} ${how} ${what}.`, ...evidence, fix })
  }
  if (expected.some((one) => evidence.received.includes(one))) return PASSED
  if (isOutsideError(evidence.received))
    return {
      kind: 'notChecked',
      reason: `${name} failed before it looked at its arguments: ${evidence.received.slice(0, SHOWN)}`,
      isMissing: true,
    }
  const message = `The error of ${name}, called ${how}, names none of: ${expected.filter((one) => one !== WRONG_KEY).join(', ')}.`
  return flaw({ message, ...evidence, fix })
}

function isFailure(reply: Reply): boolean {
  if (reply.kind !== 'result') return reply.kind === 'error'
  // The first protocol version wrapped results.
  const { toolResult } = reply.result
  return (isJsonObject(toolResult) ? toolResult : reply.result).isError === true
}

function readOnlyTools({ session }: VetRun): Tool[] {
  return session.capabilities.tools.filter(({ annotations }) => annotations?.readOnlyHint === true)
}

function requiredOf({ inputSchema }: Tool): string[] {
  const required = isJsonObject(inputSchema) ? inputSchema.required : undefined
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

function propertyOf({ inputSchema }: Tool, name: string): unknown {
  const properties = isJsonObject(inputSchema) ? inputSchema.properties : undefined
  return isJsonObject(properties) ? properties[name] : undefined
}

function isScalar(schema: unknown): boolean {
  return isJsonObject(schema) && ['string', 'number', 'integer'].includes(String(schema.type))
}

function anyValue(schema: unknown): unknown {
  if (!isJsonObject(schema)) return ANY_VALUES.string
  if (Array.isArray(schema.enum)) return schema.enum[0]
  return ANY_VALUES[String(schema.type)] ?? ANY_VALUES.string
}
