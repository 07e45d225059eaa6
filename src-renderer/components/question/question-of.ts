import type { Question, QuestionBody } from '../../../src-shared/domain/agents/question'

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
