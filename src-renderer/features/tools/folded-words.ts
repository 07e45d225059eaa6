import { type FoldedContext, MOST_FOLDED } from '../../../src-shared/domain/agents/tools'
import { formatCount } from '../../ui/text/elapsed'

/** What putting the block into a person's text did, as a sentence; `before` is the text that they gave. */
export function foldedWords(before: string, { text, replaced, isEmpty }: FoldedContext): string {
  if (isEmpty)
    return replaced === 0
      ? 'The text stays as it is: there is no block to put in yet.'
      : `${olderWords(replaced)} taken out: no server that is switched on lists resources or prompts.`
  if (replaced === 0) return 'The text has no block yet: it is added at the end.'
  if (text === before) return 'The block in the text is up to date. Nothing changes.'
  return replaced === 1
    ? 'The older block is replaced.'
    : `${olderWords(replaced)} replaced by one, in the place of the first.`
}

function olderWords(count: number): string {
  return count === 1 ? 'The older block is' : `${formatCount(count)} older blocks are`
}

/** What is wrong with a text that is too long to take the block; undefined where it is not. */
export function tooLongWords(text: string): string | undefined {
  if (text.length <= MOST_FOLDED) return undefined
  return `The text has ${formatCount(text.length)} characters; ${formatCount(MOST_FOLDED)} are the most. Give only the part around the block.`
}
