import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const FILE = 'docs/security.md'
/** A test that a document names: a file, and words of a title in it. */
const NAMED = /`((?:src-main|src-renderer|src-shared|e2e)\/[^`]+\.(?:test|spec)\.ts)`: ([^|]+?) \|/g

function namedIn(document: string): { readonly file: string; readonly title: string }[] {
  const found = readFileSync(resolve(ROOT, document), 'utf8').matchAll(NAMED)
  return [...found].map(([, file = '', title = '']) => ({ file, title: title.trim() }))
}

const named = namedIn(FILE)

/** A test file's source, which contains its titles. */
function titlesIn(file: string): string {
  return readFileSync(resolve(ROOT, file), 'utf8')
}

describe('D7: the lines of the threat model', () => {
  it('each name a test', () => {
    const text = readFileSync(resolve(ROOT, FILE), 'utf8')
    const lines = text.split('\n').filter((line) => /^\| (?!What|Hole|---)/.test(line))
    expect(named.length).toBeGreaterThan(50)
    expect(lines.filter((line) => !new RegExp(NAMED, '').test(line))).toEqual([])
  })

  it.each([...named, ...namedIn('docs/verification.md')])(
    'name an existing test: “$title” in $file',
    ({ file, title }) => {
      expect(titlesIn(file)).toContain(title)
    },
  )
})
