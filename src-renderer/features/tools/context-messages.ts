import { type FoldedContext, MOST_FOLDED } from '../../../src-shared/domain/agents/tools'
import { counted, formatCount } from '../../ui/text/format'

/** What putting the block into a person's text did, as a sentence; `before` is the text that they gave. */
export function foldedWords(before: string, { text, replaced, isEmpty }: FoldedContext): string {
  if (isEmpty)
    return replaced === 0
      ? 'Your text is unchanged because there is no context block yet.'
      : `${counted(replaced, 'old block')} removed. Servers that are turned on list no resources or prompts.`
  if (replaced === 0) return 'The block is added at the end of your text.'
  if (text === before) return 'The block in your text is up to date.'
  return replaced === 1
    ? 'The old block is replaced.'
    : `${counted(replaced, 'old block')} replaced by one, at the place of the first.`
}

/** What is wrong with a text that is too long to take the block; undefined where it is not. */
export function tooLongWords(text: string): string | undefined {
  if (text.length <= MOST_FOLDED) return undefined
  return `The text has ${formatCount(text.length)} characters. The limit is ${formatCount(MOST_FOLDED)}. Paste only the part around the block.`
}
