import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { posix, win32 } from 'node:path'

/** Options of a program search. */
export type Lookup = {
  /** Value of the environment variable. */
  readonly path: string
  /** Extensions of programs on Windows. */
  readonly pathExt?: string | undefined
  readonly platform: NodeJS.Platform
}

/** The full path of a program, or the searched folders. */
export type LookupResult =
  | { readonly kind: 'found'; readonly file: string }
  | { readonly kind: 'missing'; readonly lookedIn: readonly string[] }

/**
 * Returns the first program of that name in the folders of a PATH. Only absolute folders count: a relative one depends on where Patchbay
 * was started.
 */
export async function resolveCommand(command: string, lookup: Lookup): Promise<LookupResult> {
  const rules = lookup.platform === 'win32' ? win32 : posix
  const folders = [...new Set(lookup.path.split(rules.delimiter))].filter((folder) =>
    rules.isAbsolute(folder),
  )
  // A name with a folder in it would leave the PATH.
  const isName = command !== '' && !/[\\/]/.test(command)
  for (const folder of isName ? folders : []) {
    for (const ending of endingsFor(command, lookup)) {
      const file = rules.join(folder, `${command}${ending}`)
      if (await isProgram(file)) return { kind: 'found', file }
    }
  }
  return { kind: 'missing', lookedIn: folders }
}

/** Whether a file exists that this account may run. */
export async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    return false // missing, or inaccessible to this account: the next folder may have one
  }
}

function endingsFor(command: string, { platform, pathExt }: Lookup): readonly string[] {
  if (platform !== 'win32') return ['']
  const endings = (pathExt ?? '.COM;.EXE;.BAT;.CMD').split(';').filter((ending) => ending !== '')
  const upper = command.toUpperCase()
  return endings.some((ending) => upper.endsWith(ending.toUpperCase())) ? ['', ...endings] : endings
}

/** Returns folders where installers put programs while the app runs: its PATH is read once, at its start. */
export function usualFolders(
  platform: NodeJS.Platform,
  home: string,
  own: Readonly<Record<string, string | undefined>>,
): string[] {
  if (platform === 'win32') {
    const { LOCALAPPDATA: local, ProgramFiles: programs } = own
    return [
      win32.join(home, '.local', 'bin'),
      ...(local === undefined ? [] : [win32.join(local, 'Microsoft', 'WinGet', 'Links')]),
      ...(programs === undefined
        ? []
        : ['nodejs', 'dotnet', 'Docker\\Docker\\resources\\bin'].map((name) =>
            win32.join(programs, name),
          )),
    ]
  }
  const inHome = ['.local/bin', '.cargo/bin', '.dotnet'].map((name) => posix.join(home, name))
  return platform === 'darwin'
    ? [...inHome, '/opt/homebrew/bin', '/usr/local/bin', '/usr/local/share/dotnet']
    : inHome
}
