import fs from 'node:fs'

import { describe, expect, it } from 'vitest'

import { loadPlainFs } from './plain-fs'

const missing = (name: string): never => {
  throw new Error(`Cannot find module '${name}'`)
}

describe('D1: the file system for bundles', () => {
  it("is Electron's original one, and Node's under Node", () => {
    const original = {}
    expect(loadPlainFs(true, (name) => (name === 'original-fs' ? original : fs))).toBe(original)
    expect(loadPlainFs(true, missing)).toBe(fs)
    expect(loadPlainFs(false, missing)).toBe(fs)
  })
})
