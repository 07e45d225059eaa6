import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { attempt } from '../../src-shared/domain/attempt'

/** Where desktops look for what starts at login (Desktop Application Autostart Specification). */
export function autostartFile(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): string {
  const config = env.XDG_CONFIG_HOME
  const folder = config?.startsWith('/') ? config : join(home, '.config')
  return join(folder, 'autostart', 'patchbay.desktop')
}

/** Writes the entry that runs `command` at login; without a command it is removed. */
export function writeAutostart(file: string, command: readonly string[] | undefined): void {
  if (command === undefined) {
    rmSync(file, { force: true })
    return
  }
  const exec = `Exec=${command.map(quoted).join(' ')}`
  // The user may have switched it off in the system's own settings, which note that in the file.
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

/** An argument of an Exec key: quoted, with its reserved signs escaped twice, and a percent sign doubled. */
function quoted(argument: string): string {
  const escaped = argument
    .replaceAll(/["`$\\]/gu, (sign) => `\\${sign}`)
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
  return `"${escaped}"`
}
