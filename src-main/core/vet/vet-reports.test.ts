import { readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { VET_SCHEMA_VERSION, type VetReport } from '../../../src-shared/domain/vet/vet-report'
import { type ReportedServer, VetReports } from './vet-reports'

const serverOf = (name: string): ReportedServer =>
  ({ source: 'registry', sourceId: 'official', server: { name } }) as ReportedServer

const reportOf = (version: string, command = 'npx'): VetReport => ({
  ...{ schemaVersion: VET_SCHEMA_VERSION, patchbayVersion: '1', command, system: 'linux x64' },
  ...{ startedAt: '2026-01-01T00:00:00Z', durationMs: 1 },
  ...{ server: { name: 'a', version }, checks: [] },
})

describe('E14: the reports of a server', () => {
  it('are one for each of the five newest versions, newest first', () => {
    const reports = new VetReports(tempFolder('vet-reports'))
    const server = serverOf('a')
    for (const version of ['1', '2', '3', '4', '5', '6']) reports.add(server, reportOf(version))
    reports.add(server, reportOf('4', 'again'))
    const versions = reports.of(server).map((one) => one.server.version)
    expect(versions).toEqual(['4', '6', '5', '3', '2'])
    expect(reports.of(server)[0]?.command).toBe('again')
    expect(reports.of(serverOf('b'))).toEqual([])
  })

  it('are kept for 200 servers, and the oldest are deleted first', () => {
    const folder = tempFolder('vet-reports')
    const reports = new VetReports(folder)
    reports.add(serverOf('oldest'), reportOf('1'))
    const [oldest = ''] = readdirSync(folder)
    utimesSync(join(folder, oldest), 1, 1)
    for (let count = 1; count < 200; count += 1) writeFileSync(join(folder, `${count}.json`), '[]')
    expect(reports.of(serverOf('oldest'))).toHaveLength(1)
    reports.add(serverOf('newest'), reportOf('1'))
    expect(readdirSync(folder)).toHaveLength(200)
    expect(reports.of(serverOf('oldest'))).toEqual([])
    expect(reports.of(serverOf('newest'))).toHaveLength(1)
  })
})
