import * as z from 'zod'

import { ArgumentText } from '../../domain/agents/argument-rows'
import { QuestionAnswer } from '../../domain/agents/question'
import { command, request, ServerRef } from './refs'

const QuestionRef = z.object({ questionId: z.string().max(64) })

/** What servers and agents wait for a user to answer. */
export const questionRequests = {
  /** The first answer counts. Rejects with NOT_FOUND for one that is over, and INVALID_VALUES naming the field that does not fit. */
  'question.answer': command(QuestionRef.extend({ answer: QuestionAnswer })),
  /** One argument of a call in full, by its place in the question, as it is to be read; of all together without a place the JSON text. Secrets are masked. Rejects with NOT_FOUND. */
  'question.argument': request(
    QuestionRef.extend({ at: z.number().int().min(0).optional() }),
    ArgumentText,
  ),
  /** Opens the page that is asked for in the system's browser; NOT_AVAILABLE_HERE where the page itself does that. */
  'question.openPage': command(QuestionRef),
  /** The folders that a server gets when it asks for roots; absolute paths. Rejects with INVALID_VALUES for what is no folder. */
  'roots.set': command(ServerRef.extend({ roots: z.array(z.string().max(4_096)).max(50) })),
}
