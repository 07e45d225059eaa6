import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { attempt } from '../../src-shared/domain/attempt'

/** The desktop's autostart file (Desktop Application Autostart Specification). */
export function autostartFile(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): string {
  const config = env.XDG_CONFIG_HOME
  const folder = config?.startsWith('/') ? config : join(home, '.config')
  return join(folder, 'autostart', 'patchbay.desktop')
}

/** Writes the entry that runs `command` at login; removes it without a command. */
export function writeAutostart(file: string, command: readonly string[] | undefined): void {
  if (command === undefined) {
    rmSync(file, { force: true })
    return
  }
  const exec = `Exec=${command.map(quoted).join(' ')}`
  // The desktop's settings may have disabled the entry, which the file records.
  if (
    attempt(() => readFileSync(file, 'utf8'))
      ?.split('\n')
      .includes(exec)
  )
    return
  const entry = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Patchbay',
    'Comment=Runs, secures and shares MCP servers',
    exec,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, entry)
}

/** An argument of an Exec key: quoted, with reserved characters escaped twice and percent signs doubled. */
function quoted(argument: string): string {
  const escaped = argument
    .replaceAll(/["`$\\]/gu, (sign) => `\\${sign}`)
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
  return `"${escaped}"`
}
