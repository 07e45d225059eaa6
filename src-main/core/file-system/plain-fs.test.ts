import fs from 'node:fs'

import { describe, expect, it } from 'vitest'

import { loadPlainFs } from './plain-fs'

const missing = (name: string): never => {
  throw new Error(`Cannot find module '${name}'`)
}

describe('D1 the file system of bundles', () => {
  it('is the one that Electron left unchanged, and under Node that of Node', () => {
    const original = {}
    expect(loadPlainFs(true, (name) => (name === 'original-fs' ? original : fs))).toBe(original)
    expect(loadPlainFs(true, missing)).toBe(fs)
    expect(loadPlainFs(false, missing)).toBe(fs)
  })
})
