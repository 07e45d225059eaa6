import { describe, expect, it } from 'vitest'

import { MAX_CONTEXT_LENGTH } from '../../../src-shared/domain/agents/tools'
import { foldedText, tooLongText } from './tools-page'

const folded = (replaced: number, isEmpty = false, text = 'after') => ({
  text,
  replaced,
  isEmpty,
  diff: [],
})

describe("C6: message on the user's text", () => {
  it.each([
    [folded(0), 'The block is added at the end of your text.'],
    [folded(1), 'The old block is replaced.'],
    [folded(3), '3 old blocks replaced by one, at the place of the first.'],
    [folded(1, false, 'before'), 'The block in your text is up to date.'],
    [folded(0, true), 'Your text is unchanged because there is no context block yet.'],
    [
      folded(1, true),
      '1 old block removed. Servers that are turned on list no resources or prompts.',
    ],
    [
      folded(2, true),
      '2 old blocks removed. Servers that are turned on list no resources or prompts.',
    ],
  ])('describes the result %o', (answer, words) => {
    expect(foldedText('before', answer)).toBe(words)
  })

  it('reports the limit from the first character that main would reject', () => {
    expect(tooLongText('x'.repeat(MAX_CONTEXT_LENGTH))).toBeUndefined()
    expect(tooLongText('x'.repeat(MAX_CONTEXT_LENGTH + 1))).toBe(
      'The text has 500,001 characters. The limit is 500,000. Paste only the part around the block.',
    )
  })
})
