import type { VetFinding } from '../../../../src-shared/domain/vet/vet-report'
import { type Check, flaw, notChecked, PASSED, SECTIONS } from '../check'
import { withoutVariables } from '../launch-variants'
import { isOutsideFailure } from '../outside-failure'

const SHOWN_LINES = 5
const MAX_TAIL_LENGTH = 1_500

export const START_CHECKS: readonly Check[] = [
  {
    id: 'start.ready',
    level: 'must',
    title: 'The server starts, answers initialize, and lists what it declares.',
    section: SECTIONS.lifecycle,
    run: async ({ server }) => {
      const start = await server.shared()
      if (start.kind === 'ready') return PASSED
      const { cause, message, hint, stderrTail } = start.failure
      const summary = cause?.message ?? message
      if (isOutsideFailure(start.failure)) {
        const reason = [summary, cause ? undefined : hint].filter(Boolean).join(' ')
        return { kind: 'notChecked', reason, isMissing: true }
      }
      // The reason is at the end of a stack trace.
      const received = stderrTail.join('\n').slice(-MAX_TAIL_LENGTH)
      return flaw({
        message: summary,
        ...(received !== '' && { received }),
        fix: hint ?? 'Start the command in a terminal and read what it prints.',
      })
    },
  },
  {
    id: 'start.stdout',
    level: 'must',
    title: 'Stdout carries protocol messages and nothing else.',
    section: SECTIONS.stdio,
    needs: ['running', 'stdio'],
    run: ({ run }) => {
      const { noiseLines } = run.start.faults.counts
      if (noiseLines === 0) return PASSED
      const lines = run.lines('stdout').slice(0, SHOWN_LINES)
      const what = noiseLines === 1 ? 'A line' : `${String(noiseLines)} lines`
      return flaw({
        message: `${what} on stdout ${noiseLines === 1 ? 'is' : 'are'} no protocol message. Strict clients end the session.`,
        received: lines.join('\n'),
        fix: 'Write logs to stderr.',
      })
    },
  },
  {
    id: 'start.missing-values',
    level: 'should',
    title: 'A start without a required variable fails with its name.',
    needs: ['running', 'process'],
    run: async ({ entry: { required }, server }) => {
      if (required.length === 0) return notChecked('The entry requires no variable.')
      const start = await server.variant('without values', withoutVariables(required))
      // A server may start anyway and say so when a tool is called.
      if (start.kind === 'ready') return PASSED
      const lines = start.log.newest(1_000, 0, ['stderr', 'stdout']).map(({ text }) => text)
      const text = lines.join('\n')
      return required.some((name) => text.includes(name)) ? PASSED : flaw(unnamed(required, text))
    },
  },
]

function unnamed(required: readonly string[], text: string): VetFinding {
  return {
    message: `Started without ${required.join(', ')}, the server ends without naming ${required.length === 1 ? 'it' : 'one of them'}.`,
    received: text === '' ? '(nothing)' : text,
    fix: 'Check required variables first, and name the missing one on stderr.',
  }
}
