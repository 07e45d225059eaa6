import type { Question, QuestionBody } from '../../../src-shared/domain/agents/question'
import { formatWhole, visibleText } from '../../ui/text/format'

/** The time in which the seconds that are left are shown, in ms. */
const LAST_MS = 60_000

/** Who asks for what, as a title; `server` is the name that the user gave the server. */
export function questionTitle({ body, agent }: Question, server: string): string {
  switch (body.kind) {
    case 'form':
      return `${server} asks for details`
    case 'page':
      return `${server} asks you to open a page`
    case 'call':
      return `Allow ${agentName(agent)} to run ${visibleText(body.tool)} on ${server}?`
  }
}

function agentName(agent: string | undefined): string {
  return agent === undefined ? 'an agent' : visibleText(agent)
}

/** How long a question still waits, in its last minute; undefined before. */
export function timeLeft({ until }: Pick<Question, 'until'>, now: number): string | undefined {
  const left = until - now
  if (left > LAST_MS) return undefined
  return left <= 0 ? 'Time is up' : `${Math.ceil(left / 1_000)} s left`
}

/** When a call is denied without an answer: "Denied automatically in 4 min 12 s". */
export function deniedIn({ until }: Pick<Question, 'until'>, now: number): string {
  const left = until - now
  return left <= 0 ? 'Time is up' : `Denied automatically in ${formatWhole(left)}`
}

/** Whether a question ended by its time; the clocks of two processes are not in step to the millisecond. */
export function isTimeUp({ until }: Pick<Question, 'until'>, now: number): boolean {
  return now >= until - 1_000
}

/** What became of a question that went without an answer from this window. */
export function overWords(question: Question, server: string, now: number): string {
  const what = question.body.kind === 'call' ? 'The call was denied.' : 'Your answer wasn’t sent.'
  return isTimeUp(question, now)
    ? `The request from ${server} timed out. ${what}`
    : `The request from ${server} was canceled or answered elsewhere.`
}

/** A question of one kind. */
export type QuestionOf<K extends QuestionBody['kind']> = Question & {
  readonly body: Extract<QuestionBody, { kind: K }>
}

/** Whether a question is of a kind. */
export function isOf<K extends QuestionBody['kind']>(
  question: Question,
  kind: K,
): question is QuestionOf<K> {
  return question.body.kind === kind
}
