import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { SeenMarker } from './history'

describe('B11: the time of the last seen recovery', () => {
  it('is known in the next run, and never for an invalid file', () => {
    const file = join(tempFolder('looked'), 'looked.json')
    const first = new SeenMarker(file)
    expect(first.at).toBe(0)
    first.set(1_000)
    expect([first.at, new SeenMarker(file).at]).toEqual([1_000, 1_000])
    writeFileSync(file, '{"version":1,"at":"x"}')
    expect(new SeenMarker(file).at).toBe(0)
  })
})
