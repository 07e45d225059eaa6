import * as z from 'zod'

import { ArgumentText } from '../../domain/agents/argument-rows'
import { QuestionAnswer } from '../../domain/agents/question'
import { command, request, ServerRef } from './refs'

const QuestionRef = z.object({ questionId: z.string().max(64) })

/** Requests on pending questions of servers and agents. */
export const questionRequests = {
  /** The first answer counts. Rejects with NOT_FOUND for an ended question, and with INVALID_VALUES naming the invalid field. */
  'question.answer': command(QuestionRef.extend({ answer: QuestionAnswer })),
  /**
   * Returns one complete argument of a call as readable text, by its index in the question; without an index, all arguments as JSON text.
   * Secrets are masked. Rejects with NOT_FOUND.
   */
  'question.argument': request(
    QuestionRef.extend({ at: z.number().int().min(0).optional() }),
    ArgumentText,
  ),
  /** Opens the requested page in the system's browser; NOT_AVAILABLE_HERE if the page itself does that. */
  'question.openPage': command(QuestionRef),
  /** Sets the folders returned to a server's `roots/list`; absolute paths. Rejects with INVALID_VALUES for a path that is no folder. */
  'roots.set': command(ServerRef.extend({ roots: z.array(z.string().max(4_096)).max(50) })),
}
