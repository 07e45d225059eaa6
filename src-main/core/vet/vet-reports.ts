import { join } from 'node:path'

import * as z from 'zod'

import { VetReport } from '../../../src-shared/domain/vet/vet-report'
import { fileStemOf, recallOwnJson, removeOwn, writeOwnJson } from '../storage/own-file'

const MOST_REPORTS = 5
const MOST_BYTES = 4 * 1024 * 1024

/** The reports of servers, a file for each server: the newest of each version. */
export class VetReports {
  constructor(private readonly folder: string) {}

  /** The newest first. A file that can't be read has none. */
  of(installationId: string): VetReport[] {
    return recallOwnJson(this.#fileOf(installationId), z.array(VetReport), MOST_BYTES) ?? []
  }

  /** Keeps a report in place of an earlier one of the same version. Throws the system's error where it can't be written. */
  add(installationId: string, report: VetReport): void {
    const { version } = report.server
    const others = this.of(installationId).filter(({ server }) => server.version !== version)
    const kept = [report, ...others].slice(0, MOST_REPORTS)
    writeOwnJson(this.#fileOf(installationId), kept, MOST_BYTES)
  }

  remove(installationId: string): void {
    removeOwn(this.#fileOf(installationId))
  }

  #fileOf(installationId: string): string {
    return join(this.folder, `${fileStemOf(installationId)}.json`)
  }
}
