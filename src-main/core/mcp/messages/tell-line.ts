import type { ReadLine } from '../json/read-message'
import type { Fault } from './pending-requests'

/** Elements that are no messages, counted of one batch: more say nothing more. */
const MOST_COUNTED = 1_000

/** Tells what is odd about how messages came that could be read all the same. */
export function tellLine(
  { decorated, isBatch, malformed }: Omit<ReadLine, 'messages' | 'inner'>,
  onFault: (fault: Fault, detail: string) => void,
): void {
  if (decorated) {
    const detail = 'A message that had to be freed of a byte order mark or of colours first.'
    onFault('decoratedLines', detail)
  }
  if (isBatch) onFault('batches', 'Messages that came together, in an array.')
  for (let count = Math.min(malformed, MOST_COUNTED); count > 0; count -= 1)
    onFault('malformedMessages', 'An element of an array of messages that is none.')
}
