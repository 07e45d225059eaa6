import { describe, expect, it } from 'vitest'

import { safeLink } from '../../../ui/text/safe-link'
import { endingOf, nameOfAddress } from './file-ending'
import { looksLikeJson } from './result-text'

describe('D5: file names of results', () => {
  it.each([
    ['image/png', 'png'],
    ['text/plain; charset=utf-8', 'txt'],
    ['application/x-msdownload', 'bin'],
    ['text/html', 'bin'],
    ['image/svg+xml', 'bin'],
    ['__proto__', 'bin'],
    [undefined, 'bin'],
  ])('give %s the extension %s', (kind, ending) => {
    expect(endingOf(kind)).toBe(ending)
  })

  it('start with the last part of an address', () => {
    expect(nameOfAddress('demo://a/report.pdf?x=1#y')).toBe('report')
    expect(nameOfAddress('demo://a/../../etc/passwd')).toBe('passwd')
    expect(nameOfAddress('')).toBe('')
  })
})

it('D5: text that looks like JSON is offered as a tree', () => {
  for (const json of ['{"a":1}', ' [1,2]', '[]', '{}', '[{"a":1}]', '[true]'])
    expect(looksLikeJson(json)).toBe(true)
  for (const text of ['[see this](x)', 'hello', '{curly}', '[x] done'])
    expect(looksLikeJson(text)).toBe(false)
})

it('D5: only https links lead out of the app', () => {
  for (const address of [
    'javascript:alert(1)',
    'http://a.example',
    'data:text/html,x',
    'file:///etc',
    '//a',
    'x',
  ])
    expect(safeLink(address)).toBeUndefined()
})
