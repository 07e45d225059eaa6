import { setImmediate as nextTurn } from 'node:timers/promises'

import type { Call } from '../../../../src-shared/domain/agents/activity'
import { type CallMask, shownCall } from './kept-call'

/** Calls that are masked in one turn of the event loop. */
const IN_A_TURN = 500

/** Calls as JSON lines, masked as they are shown; an export is long, and agents go on meanwhile. */
export async function maskedLines(text: string, mask: CallMask): Promise<string> {
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at += IN_A_TURN) {
    for (let index = at; index < Math.min(at + IN_A_TURN, lines.length); index += 1) {
      const { [index]: line = '' } = lines
      // The thread wrote them, so each is a call.
      if (line !== '') lines[index] = JSON.stringify(shownCall(JSON.parse(line) as Call, mask))
    }
    await nextTurn()
  }
  return lines.join('\n')
}
