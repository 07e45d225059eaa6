import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

import * as z from 'zod'

import type { Installation } from '../../../src-shared/domain/installation/installation'
import { VetReport } from '../../../src-shared/domain/vet/vet-report'
import { fileStemOf, readOwnJsonOr, removeOwn, writeOwnJson } from '../storage/own-file'

const MAX_REPORTS = 5
const MAX_SERVERS = 200
const MAX_BYTES = 4 * 1024 * 1024

/** The server of a report: a registry entry regardless of its installation, or a custom server. */
export type ReportedServer = Pick<Installation, 'source' | 'sourceId' | 'server'> & {
  readonly installationId?: string
}

/** Reports by server, one file each with the newest report of each version. */
export class VetReports {
  constructor(private readonly folder: string) {}

  /** Newest first; empty if the file is unreadable. */
  of(server: ReportedServer): VetReport[] {
    return readOwnJsonOr(this.#fileOf(server), z.array(VetReport), MAX_BYTES) ?? []
  }

  /** Stores a report, replacing an earlier one of the same version. Throws the system's error if it can't be written. */
  add(server: ReportedServer, report: VetReport): void {
    const { version } = report.server
    const others = this.of(server).filter((one) => one.server.version !== version)
    const stored = [report, ...others].slice(0, MAX_REPORTS)
    writeOwnJson(this.#fileOf(server), stored, MAX_BYTES)
    this.#prune()
  }

  /** Deletes the reports of a server without a registry. */
  remove(installationId: string): void {
    removeOwn(this.#fileAt(installationId))
  }

  #fileOf({ source, sourceId = '', server, installationId = '' }: ReportedServer): string {
    return this.#fileAt(source === 'hand' ? installationId : `${source}:${sourceId}:${server.name}`)
  }

  #fileAt(key: string): string {
    return join(this.folder, `${fileStemOf(key)}.json`)
  }

  /** Deletes the oldest files. */
  #prune(): void {
    const files = readdirSync(this.folder).map((name) => join(this.folder, name))
    if (files.length <= MAX_SERVERS) return
    const dated = files.map((file) => ({ file, at: statSync(file).mtimeMs }))
    const oldest = dated.toSorted((one, other) => other.at - one.at).slice(MAX_SERVERS)
    for (const { file } of oldest) removeOwn(file)
  }
}
