import { describe, expect, it } from 'vitest'

import { MOST_FOLDED } from '../../../src-shared/domain/agents/tools'
import { foldedWords, tooLongWords } from './folded-words'

const folded = (replaced: number, isEmpty = false, text = 'after') => ({
  text,
  replaced,
  isEmpty,
  diff: [],
})

describe('C6: what became of a person’s text', () => {
  it.each([
    [folded(0), 'The text has no block yet: it is added at the end.'],
    [folded(1), 'The older block is replaced.'],
    [folded(3), '3 older blocks are replaced by one, in the place of the first.'],
    [folded(1, false, 'before'), 'The block in the text is up to date. Nothing changes.'],
    [folded(0, true), 'The text stays as it is: there is no block to put in yet.'],
    [
      folded(1, true),
      'The older block is taken out: no server that is switched on lists resources or prompts.',
    ],
    [
      folded(2, true),
      '2 older blocks are taken out: no server that is switched on lists resources or prompts.',
    ],
  ])('is said: %o', (answer, words) => {
    expect(foldedWords('before', answer)).toBe(words)
  })

  it('is too long from the first character that main would refuse', () => {
    expect(tooLongWords('x'.repeat(MOST_FOLDED))).toBeUndefined()
    expect(tooLongWords('x'.repeat(MOST_FOLDED + 1))).toBe(
      'The text has 500,001 characters; 500,000 are the most. Give only the part around the block.',
    )
  })
})
