import { describe, expect, it } from 'vitest'

import { reliabilityTable } from './reliability-table'
import type { RowResult } from './row-result'

const PAGE = 'Before\n<!-- measured rows begin -->\nold\n<!-- measured rows end -->\nAfter\n'
const row: RowResult = {
  group: 'servers that end',
  fault: 'exits',
  seen: 'Error: SERVER_EXITED, “The server exited.”; then Ready, a|b <i>',
  ms: 1_234,
  stopMs: 5,
  processesLeft: 0,
  keptMb: -0.2,
  peakMb: 31.6,
}

describe('the table of docs/reliability.md', () => {
  it('replaces only the text between the marks', () => {
    const page = reliabilityTable(PAGE, [row], 'a machine')
    expect(page).toMatch(/^Before\n<!-- measured rows begin -->\n\nMeasured on a machine\.\n/u)
    expect(page).toMatch(/\n\n<!-- measured rows end -->\nAfter\n$/u)
    expect(page).not.toContain('old')
    expect(page).toContain('### Servers that end')
  })

  it("shows numbers with units, codes without messages, and escapes a server's markup", () => {
    const line =
      '| exits | Error: SERVER_EXITED; then Ready, a\\|b \\<i\\> | 1.23 s | 5 ms | 0 | 0.0 MB | 32 MB |'
    expect(reliabilityTable(PAGE, [row], '')).toContain(line)
  })

  it('is rejected for a page without marks', () => {
    expect(() => reliabilityTable('no marks', [row], '')).toThrow('lacks')
  })
})
