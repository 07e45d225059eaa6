import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'

import { ProblemText } from '../fields/field'
import { problemText } from '../text/format'
import { Banner } from './page'
import { ProblemState } from './problem-state'

const PROBLEM = {
  code: 'SECRET_STORE_FAILED',
  message: 'The disk is full.',
  hint: 'Free space.',
} as const
const { code } = PROBLEM

describe('an error', () => {
  it.each([
    ['in place of content', createElement(ProblemState, { title: 'Can’t load', problem: PROBLEM })],
    [
      'above content',
      createElement(Banner, { severity: 'error', topic: code }, problemText(PROBLEM)),
    ],
    ['in a form', createElement(ProblemText, { topic: code, children: problemText(PROBLEM) })],
  ])('%s says what happened and what to do, and links to its page', (_where, element) => {
    const html = renderToStaticMarkup(element)
    expect(html).toContain('The disk is full. Free space.')
    expect(html).toContain(`aria-label="Learn more about ${code}"`)
  })

  it('instead of content is announced and can be retried', () => {
    const html = renderToStaticMarkup(
      createElement(ProblemState, { title: 'Can’t load', problem: PROBLEM }),
    )
    expect(html).toMatch(/^<div role="alert">/u)
    expect(html).toContain('Try again')
  })
})
