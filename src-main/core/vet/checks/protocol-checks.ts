import type { Capabilities } from '../../../../src-shared/domain/agents/capability'
import type { JsonObject } from '../../../../src-shared/domain/json-object'
import type { VetFinding } from '../../../../src-shared/domain/vet/vet-report'
import { LISTS } from '../../mcp/lists/lists'
import type { Fault } from '../../mcp/peer/connection'
import {
  type Check,
  type CheckOutcome,
  flaw,
  found,
  notChecked,
  PASSED,
  type RunContext,
  SECTIONS,
} from '../check'
import { stateless } from '../launch-variants'
import type { Reply } from '../vet-run'

const METHOD_NOT_FOUND = -32_601
/** Protocol versions that clients may drop next. */
const OLD_VERSIONS = ['2024-10-07', '2024-11-05']
const UNKNOWN_METHOD = 'patchbay/unknown'
const CUT_LINE = '{"jsonrpc":"2.0","id":"patchbay-cut","method":"ping"'

/** Faults that other checks report, or that need not be the server's. */
const ELSEWHERE: readonly Fault[] = ['noiseLines', 'lateAnswers']
/** The beginning of a notice about a failed list. */
const LIST_FAILED = /^[A-Za-z ]+: the list couldn’t be (?:read|refreshed) /u
/** Templates belong to resources; most servers without templates don't know the method. */
const LISTED = LISTS.filter(({ key }) => key !== 'resourceTemplates')

export const PROTOCOL_CHECKS: readonly Check[] = [
  {
    id: 'protocol.version',
    level: 'should',
    title: 'The server speaks a protocol version of 2025 or later.',
    section: SECTIONS.lifecycle,
    needs: ['running'],
    run: ({ run }) => {
      const version = run.session.protocolVersion ?? ''
      if (!OLD_VERSIONS.includes(version)) return PASSED
      return flaw({
        message: `The server speaks ${version}, without structured results, elicitation, and tool titles.`,
        fix: 'Update the SDK, and answer initialize with the client’s version where you support it.',
      })
    },
  },
  {
    id: 'protocol.stateless',
    level: 'note',
    title: 'The server also speaks the stateless protocol (2026-07-28).',
    section: SECTIONS.stateless,
    needs: ['running'],
    run: async ({ server }) => {
      const start = await server.variant('stateless', stateless)
      if (start.kind === 'ready') return PASSED
      return flaw({
        message: 'Started with server/discover as its first message, the server doesn’t answer it.',
        sent: '{"method":"server/discover"}',
        received: start.failure.message,
        fix: 'Update the SDK to a version with 2026-07-28.',
      })
    },
  },
  {
    id: 'protocol.capabilities',
    level: 'must',
    title: 'The server answers the lists that it declares, and declares those that it answers.',
    section: SECTIONS.lifecycle,
    needs: ['running'],
    run: capabilities,
  },
  {
    id: 'protocol.lists',
    level: 'must',
    title: 'Lists are complete: valid elements, unique names, cursors that end.',
    section: SECTIONS.pagination,
    needs: ['running'],
    run: ({ run }) =>
      found(
        listFaults(run.session.capabilities).map((message) => ({
          message,
          fix: 'Return each element once, with the members that the specification requires.',
        })),
      ),
  },
  {
    id: 'protocol.ping',
    level: 'must',
    title: 'The server answers ping.',
    section: SECTIONS.ping,
    needs: ['running', 'session'],
    run: async ({ run, responseMs }) => {
      const reply = await run.request('ping', {}, responseMs)
      if (reply.kind === 'result') return PASSED
      return flaw({
        message: 'The server doesn’t answer ping with a result. Clients may end the session.',
        sent: '{"method":"ping"}',
        received: shown(reply),
        fix: 'Answer ping with an empty result.',
      })
    },
  },
  {
    id: 'protocol.concurrent',
    level: 'must',
    title: 'Two requests at the same time get two answers.',
    section: SECTIONS.messages,
    needs: ['running'],
    run: async ({ run, responseMs }) => {
      const list = LISTED.find(({ capability }) => run.session.notifications.declared?.[capability])
      if (!list) return notChecked('The server declares no list.')
      const replies = await Promise.all([1, 2].map(() => run.request(list.method, {}, responseMs)))
      const silent = replies.find(({ kind }) => kind !== 'result')
      if (!silent) return PASSED
      return flaw({
        message: `Of two ${list.method} requests sent together, one got no result.`,
        sent: `{"method":"${list.method}"} (twice)`,
        received: shown(silent),
        fix: 'Keep requests apart by their id, and answer each.',
      })
    },
  },
  {
    id: 'protocol.unknown-method',
    level: 'should',
    title: 'An unknown method is rejected with −32601.',
    section: 'https://www.jsonrpc.org/specification#error_object',
    needs: ['running'],
    run: async ({ run, responseMs }) =>
      unknownMethod(await run.request(UNKNOWN_METHOD, {}, responseMs)),
  },
  {
    id: 'protocol.messages',
    level: 'must',
    title: 'Messages follow JSON-RPC and the schema of the protocol.',
    section: SECTIONS.messages,
    needs: ['running'],
    run: ({ run }) =>
      found(
        run.start.faults.warnings
          .filter(({ kind }) => !ELSEWHERE.includes(kind))
          .map(({ message, count }) => ({
            message: count === 1 ? message : `${message} (${String(count)} times)`,
            fix: 'Send the message as the schema defines it. Patchbay repairs it; other clients may not.',
          })),
      ),
  },
  {
    id: 'protocol.invalid-json',
    level: 'should',
    title: 'The server goes on after a line that isn’t valid JSON.',
    section: SECTIONS.messages,
    needs: ['running', 'stdio'],
    run: async ({ run, responseMs }) => {
      await run.post(CUT_LINE)
      if (await run.answers(responseMs)) return PASSED
      return flaw({
        message: run.isAlive
          ? 'After a line with invalid JSON, the server answers nothing more.'
          : 'The server ends on a line with invalid JSON.',
        sent: CUT_LINE,
        received: run.lines('stderr').slice(-10).join('\n'),
        fix: 'Answer with −32700 (parse error), or ignore the line.',
      })
    },
  },
]

/** Problems of the lists that came; a missing list is another check's finding. */
function listFaults({ notices, tools, prompts, resources }: Capabilities): string[] {
  const repeated = (title: string, keys: readonly string[]): string[] =>
    [...new Set(keys.filter((key, index) => keys.indexOf(key) !== index))].map(
      (key) => `${title}: ${key} is listed more than once.`,
    )
  return [
    ...notices.filter((notice) => !LIST_FAILED.test(notice)),
    ...repeated(
      'Tools',
      tools.map(({ name }) => name),
    ),
    ...repeated(
      'Prompts',
      prompts.map(({ name }) => name),
    ),
    ...repeated(
      'Resources',
      resources.map(({ uri }) => uri),
    ),
  ]
}

async function capabilities({ run, responseMs }: RunContext): Promise<CheckOutcome> {
  const declared = run.session.notifications.declared ?? {}
  const faults: VetFinding[] = []
  const failed: string[] = []
  for (const { capability, method, key } of LISTED) {
    const isDeclared = declared[capability] !== undefined
    const reply = await run.request(method, {}, responseMs)
    const elements = reply.kind === 'result' ? reply.result[key] : undefined
    const evidence = { sent: `{"method":"${method}"}`, received: shown(reply) }
    // A list may fail because of an unreachable service.
    const isFailed = reply.kind === 'error' && reply.code !== METHOD_NOT_FOUND
    if (isDeclared && isFailed) failed.push(`${method} failed: ${reply.message}`)
    if (isDeclared && !isFailed && reply.kind !== 'result')
      faults.push({
        message: `The server declares ${capability}, but ${method} returns no result.`,
        ...evidence,
        fix: `Answer ${method}, or don’t declare ${capability}.`,
      })
    if (!isDeclared && Array.isArray(elements) && elements.length > 0)
      faults.push({
        message: `The server lists ${capability} without declaring them: most clients never ask.`,
        ...evidence,
        fix: `Declare ${capability} in the result of initialize.`,
      })
  }
  if (faults.length > 0 || failed.length === 0) return found(faults)
  return { kind: 'notChecked', reason: failed.join(' '), isMissing: true }
}

function unknownMethod(reply: Reply): CheckOutcome {
  if (reply.kind === 'error' && reply.code === METHOD_NOT_FOUND) return PASSED
  const evidence = { sent: `{"method":"${UNKNOWN_METHOD}"}`, received: shown(reply) }
  const fix = 'Answer with −32601 (method not found).'
  if (reply.kind === 'error') {
    const message = `An unknown method is rejected with ${String(reply.code)}, so clients can’t tell it from a fault in their request.`
    return { kind: 'found', level: 'note', findings: [{ message, ...evidence, fix }] }
  }
  const message =
    reply.kind === 'result'
      ? 'An unknown method gets a result, so clients take it for supported.'
      : 'An unknown method gets no answer, so clients wait for their timeout.'
  return flaw({ message, ...evidence, fix })
}

/** The reply as evidence. */
export function shown(reply: Reply): string {
  return reply.kind === 'none' ? `(no response: ${reply.why})` : reply.text
}

/** The request as evidence. */
export function request(method: string, params: JsonObject): string {
  return JSON.stringify({ method, params })
}
