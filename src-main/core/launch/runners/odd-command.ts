import { join } from 'node:path'

/** A text that names no program of this system. */
type OddCommand = {
  /** Follows the text, as in "… is a relative path". */
  readonly predicate: string
  /** What to enter in its place. */
  readonly hint: string
  /** The words of the command that it means; none where that isn't known. */
  readonly meant: (home: string) => readonly string[]
}

const AGAIN = 'then start again.'
const UNKNOWN = (): readonly string[] => []

/** What a text is that names no program of this system; undefined for a plain name, and for an absolute path. */
export function oddCommand(
  command: string,
  isWindows = process.platform === 'win32',
): OddCommand | undefined {
  const [first = '', ...rest] = command.trim().split(/\s+/u)
  if (command.startsWith('~'))
    return {
      predicate: 'begins with “~”, which isn’t replaced here',
      hint: `Enter the full path, ${AGAIN}`,
      meant: (home) => (/^~[\\/]/u.test(command) ? [join(home, command.slice(2))] : []),
    }
  if (!isWindows && /^[A-Za-z]:[\\/]/u.test(command))
    return {
      predicate: 'is a path of Windows',
      hint: `Enter the command as it is on this computer, ${AGAIN}`,
      meant: () => [withoutEnding(command.split(/[\\/]/u).at(-1) ?? '')],
    }
  if (/[\\/]/u.test(first))
    return {
      predicate: 'is a relative path',
      hint: `Enter the full path of the program, ${AGAIN}`,
      meant: UNKNOWN,
    }
  if (rest.length > 0)
    return {
      predicate: 'is a whole command line, not a program',
      hint: `Enter ${first} as the command and the rest as its arguments, ${AGAIN}`,
      // How quotes are meant is for the user to say.
      meant: () => (/["'\\]/u.test(command) ? [] : [first, ...rest]),
    }
  return isWindows ? undefined : windowsName(command)
}

function windowsName(command: string): OddCommand | undefined {
  const predicate = 'is a program of Windows'
  const plain = withoutEnding(command)
  if (plain.toLowerCase() === 'cmd')
    return {
      ...{ predicate, hint: `Enter what follows “/c” as the command, ${AGAIN}` },
      meant: UNKNOWN,
    }
  if (plain === command || plain === '') return undefined
  return { predicate, hint: `Enter ${plain} instead, ${AGAIN}`, meant: () => [plain] }
}

function withoutEnding(name: string): string {
  return name.replace(/\.(?:cmd|bat|exe)$/iu, '')
}
