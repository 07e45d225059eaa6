import * as z from 'zod'

import { ArgumentText } from '../../domain/agents/argument-rows'
import { UserRequestAnswer } from '../../domain/agents/user-request'
import { command, request, ServerRef } from './refs'

const UserRequestRef = z.object({ requestId: z.string().max(64) })

/** Answers to pending user requests, and what a request shows in full. */
export const userRequestRequests = {
  /** The first answer counts. Rejects with NOT_FOUND for an ended request, and with INVALID_VALUES naming the invalid field. */
  'userRequest.answer': command(UserRequestRef.extend({ answer: UserRequestAnswer })),
  /**
   * Returns one complete argument of a call as readable text, by its index in the request; without an index, all arguments as JSON text.
   * Secrets are masked. Rejects with NOT_FOUND.
   */
  'userRequest.argument': request(
    UserRequestRef.extend({ at: z.number().int().min(0).optional() }),
    ArgumentText,
  ),
  /** Opens the requested page in the system's browser; NOT_AVAILABLE_HERE if the page itself does that. */
  'userRequest.openPage': command(UserRequestRef),
  /** Sets the folders returned to a server's `roots/list`; absolute paths. Rejects with INVALID_VALUES for a path that is no folder. */
  'roots.set': command(ServerRef.extend({ roots: z.array(z.string().max(4_096)).max(50) })),
}
