import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { resolve } from 'node:path'

import { format } from 'oxfmt'
import type { Reporter, TestModule } from 'vitest/node'

import { reliabilityTable } from './reliability-table'
import type { RowResult } from './row-result'

const PAGE = resolve(import.meta.dirname, '../../docs/reliability.md')

/** Writes the measured rows between the marks of docs/reliability.md, if every row has passed. */
export default class TableReporter implements Reporter {
  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const rows: RowResult[] = []
    let isWhole = modules.length > 0
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        isWhole &&= test.result().state === 'passed'
        const { faultRow } = test.meta()
        if (faultRow) rows.push(faultRow)
      }
    }
    if (!isWhole) {
      process.stdout.write('A row failed, so docs/reliability.md stays as it is.\n')
      return
    }
    const machine = `${process.platform} ${process.arch}, ${String(cpus().length)} cores, Node ${process.versions.node}`
    const page = reliabilityTable(readFileSync(PAGE, 'utf8'), rows, machine)
    writeFileSync(PAGE, (await format(PAGE, page)).code)
    process.stdout.write(`${String(rows.length)} rows written to docs/reliability.md\n`)
  }
}
