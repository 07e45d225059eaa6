import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { autostartFile, writeAutostart } from './autostart-entry'

let home = ''
let file = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'patchbay-autostart-'))
  file = autostartFile({}, home)
})
afterEach(() => rmSync(home, { recursive: true }))

describe('D8: start at login on Linux', () => {
  it("is an entry in the desktop's folder, and can be removed", () => {
    expect(file).toBe(join(home, '.config/autostart/patchbay.desktop'))
    expect(autostartFile({ XDG_CONFIG_HOME: '/x' }, home)).toBe('/x/autostart/patchbay.desktop')
    expect(autostartFile({ XDG_CONFIG_HOME: 'relative' }, home)).toBe(file)
    writeAutostart(file, ['/opt/Patchbay/patchbay', '--hidden'])
    expect(readFileSync(file, 'utf8')).toContain('\nExec="/opt/Patchbay/patchbay" "--hidden"\n')
    writeAutostart(file, undefined)
    writeAutostart(file, undefined)
    expect(existsSync(file)).toBe(false)
  })

  it("keeps the user's choice in the desktop's settings, and follows a moved app", () => {
    writeAutostart(file, ['/a', '--hidden'])
    appendFileSync(file, 'Hidden=true\n')
    writeAutostart(file, ['/a', '--hidden'])
    expect(readFileSync(file, 'utf8')).toContain('Hidden=true')
    writeAutostart(file, ['/b', '--hidden'])
    expect(readFileSync(file, 'utf8')).not.toContain('Hidden=true')
  })

  it("escapes reserved characters in the program's path", () => {
    const path = '/home/a b/$x `y` "z" \\ 100%'
    writeAutostart(file, [path])
    const [, value = ''] = /^Exec=(.*)$/mu.exec(readFileSync(file, 'utf8')) ?? []
    // The format first unescapes the value, then unquotes it like a shell.
    const unescaped = value.replaceAll('\\\\', '\\').replaceAll('%%', '%')
    const printed = execFileSync('/bin/sh', ['-c', `printf %s ${unescaped}`], { encoding: 'utf8' })
    expect(printed).toBe(path)
  })
})
