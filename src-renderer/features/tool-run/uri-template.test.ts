import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { readTemplate } from './uri-template'

it('D5: a URI template is expanded by RFC 6570', () => {
  const template = readTemplate('demo://{kind}/{+path}{?query,page}')
  expect(template?.names).toEqual(['kind', 'path', 'query', 'page'])
  expect(template?.expand({ kind: 'a b', path: 'c/d', query: 'x&y', page: '' })).toBe(
    'demo://a%20b/c/d?query=x%26y',
  )
  expect(template?.expand({})).toBe('demo:///')
})

it('D5: an unsupported template is rejected', () => {
  for (const none of ['a{', 'a{;x}', 'a{x:3}', 'a{|x}']) expect(readTemplate(none)).toBeUndefined()
  expect(readTemplate('a://b')?.names).toEqual([])
})

it('D5: reading a template never throws', () => {
  const letters = fc.constantFrom(...'{}a,*+?&#/.;: '.split(''))
  fc.assert(
    fc.property(fc.string({ unit: letters, maxLength: 40 }), (text) => {
      const template = readTemplate(text)
      expect(typeof (template?.expand({ a: 'x' }) ?? '')).toBe('string')
    }),
  )
})
