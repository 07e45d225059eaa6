import { describe, expect, it } from 'vitest'

import { toFormFields } from '../../../src-shared/form/to-form-fields'
import { buildCommandPlan } from '../launch/building/build-launch-plan'
import { starterCatalog } from './catalog'

const entries = starterCatalog()

describe('D2: the starter catalog', () => {
  it('has about a dozen servers with unique names', () => {
    expect(entries.length).toBeGreaterThanOrEqual(12)
    expect(new Set(entries.map(({ entryId }) => entryId)).size).toBe(entries.length)
  })

  it.each(entries.map((entry) => [entry.server.title, entry] as const))(
    '%s is complete: no notices, an exact version, texts for every field',
    (_, { entryId, server, notices }) => {
      expect(notices).toEqual([])
      expect(entryId).toBe(`starter:${server.name}`)
      expect(server.description).toMatch(/^[A-Z].{10,98}\.$/)
      const [pkg, ...rest] = server.packages
      expect(rest).toEqual([])
      expect(pkg?.version).toMatch(/^\d+\.\d+\.\d+$/)
      expect(pkg?.version).toBe(server.version)
      for (const field of pkg === undefined ? [] : toFormFields(pkg)) {
        expect(field.label).not.toBe('')
        expect(field.description).toMatch(/\.$/)
      }
      expect(pkg && buildCommandPlan(pkg, {}, new Map()).warnings).toEqual([])
    },
  )

  it('asks for the folders of the filesystem server', () => {
    const filesystem = entries.find(({ server }) => server.title === 'Filesystem')
    const pkg = filesystem?.server.packages[0]
    expect(pkg && toFormFields(pkg)).toMatchObject([
      { label: 'Allowed folders', control: 'path', required: true, repeated: true },
    ])
  })
})
