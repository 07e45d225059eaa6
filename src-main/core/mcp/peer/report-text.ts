import type { ReadText } from '../json/json-rpc'
import type { OnFault } from './connection'

/** Elements of a batch that are no messages, counted of one batch: more say nothing more. */
const MAX_COUNTED = 1_000

/** Reports what stood around the messages of a text, and what departs from the protocol in it. */
export function reportText(
  { isDecorated, words, isBatch, malformed, hasLoneSurrogates }: ReadText,
  {
    onFault,
    onText,
  }: { readonly onFault: OnFault; readonly onText?: ((words: string) => void) | undefined },
): void {
  if (words !== '') onText?.(words)
  const others = words === '' ? 'something else' : 'other text'
  if (isDecorated) onFault('decoratedLines', `A line contains a message and ${others}.`)
  if (isBatch) onFault('batches', 'Several messages arrived in one array (a batch).')
  if (hasLoneSurrogates)
    onFault('repairs', 'A lone surrogate in a string was replaced with U+FFFD.')
  for (let count = Math.min(malformed, MAX_COUNTED); count > 0; count -= 1)
    onFault('malformedMessages', 'An array of messages contains an invalid element.')
}
