import { describe, expect, it } from 'vitest'

import { Installation } from '../../../src-shared/domain/installation/installation'
import { parseServerJson } from '../../../src-shared/domain/server-json/parse-server-json'
import { installationFacts } from './facts-between'

const VALUE = 'a-value-that-no-history-holds'
const { server: SERVER } = parseServerJson({
  ...{ name: 'io.example/notes', description: 'Notes', version: '1.0.0' },
  packages: [
    {
      ...{ registryType: 'npm', identifier: 'notes', version: '1.0.0' },
      transport: { type: 'stdio' },
      environmentVariables: [{ name: 'NOTES_DIR' }, { name: 'API_KEY', isSecret: true }],
    },
  ],
})
const NOTES = Installation.parse({
  ...{ installationId: 'a', name: 'Notes', source: 'registry', enabled: true, createdAt: 0 },
  ...{ server: SERVER, offer: { kind: 'package', index: 0 } },
  ...{ values: {}, secrets: {}, budgets: {} },
})

describe('the history of an installation', () => {
  it('begins with its version, and with the approval if there is one', () => {
    expect(installationFacts(undefined, NOTES)).toEqual([{ kind: 'installed', version: '1.0.0' }])
    expect(installationFacts(undefined, { ...NOTES, approvedPlan: 'x' })).toEqual([
      { kind: 'installed', version: '1.0.0' },
      { kind: 'approved' },
    ])
  })

  it('names changed parts without their values', () => {
    const changed: Installation = {
      ...{ ...NOTES, name: 'Diary', enabled: false, cwd: `/${VALUE}` },
      values: { 'unknown key': VALUE },
    }
    const facts = installationFacts(NOTES, changed)
    expect(facts).toEqual([
      { kind: 'configured', changed: ['name', 'working folder', 'a value'] },
      { kind: 'disabled' },
    ])
    expect(JSON.stringify(facts)).not.toContain(VALUE)
    expect(installationFacts(changed, changed)).toEqual([])
  })

  it('shows an update with both versions', () => {
    const newer = { ...NOTES, server: { ...NOTES.server, version: '1.1.0' } }
    expect(installationFacts(NOTES, newer)).toEqual([
      { kind: 'updated', from: '1.0.0', to: '1.1.0' },
    ])
  })

  it('shows a rollback, but no approval that came back with it', () => {
    const newer = { ...NOTES, server: { ...NOTES.server, version: '1.1.0' } }
    expect(installationFacts(newer, { ...NOTES, approvedPlan: 'x' }, true)).toEqual([
      { kind: 'wentBack', from: '1.1.0', to: '1.0.0' },
    ])
  })
})
