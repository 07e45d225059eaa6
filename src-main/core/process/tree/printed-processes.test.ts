import { describe, expect, it } from 'vitest'

import { PrintedProcesses, type ProcessPrinter } from './printed-processes'

const PRINTER: ProcessPrinter = {
  print: () => Promise.resolve(new Map()),
  keepsParents: false,
  isRunningWhereForbidden: false,
  bootId: () => 'boot',
}

describe('B7: a process that this account may not signal', () => {
  // Tests may run as root, who may signal every process.
  const isRunning = (code: string, isRunningWhereForbidden: boolean): boolean =>
    new PrintedProcesses({ ...PRINTER, isRunningWhereForbidden }, () => {
      throw Object.assign(new Error(code), { code })
    }).isRunning(77)

  it('counts as running if the system reports that only for living processes', () => {
    expect([isRunning('EPERM', true), isRunning('EPERM', false)]).toEqual([true, false])
    expect([isRunning('ESRCH', true), isRunning('ESRCH', false)]).toEqual([false, false])
  })

  it('is looked up by its pid otherwise', () => {
    expect(new PrintedProcesses(PRINTER).isRunning(process.pid)).toBe(true)
  })
})
